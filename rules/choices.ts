/** The choice lists of requirements 17 with their exact words, which requests and responses contain. */

export const titles = ['Mr.', 'Mrs.', 'Miss', 'Dr.'] as const
export type Title = (typeof titles)[number]

export const fundSources = ['Employment', 'Inheritance', 'Savings and investment', 'Other'] as const
export const industries = ['Accounting', 'Banking', 'Finance', 'Business consultancy', 'Insurance', 'Other'] as const
export const positions = ['Director', 'Manager', 'Entry level', 'Other'] as const

/** In GBP. The bands overlap and stay as specified (requirements 17.2). */
export const annualSalaries = [
  'over 450,000',
  '200,000-499,999',
  '90,000-199,999',
  '50,000-89,999',
  '15,000-49,999',
  'under 15,000',
] as const
export const savings = [
  'over 450,000',
  '200,000-499,999',
  '90,000-199,999',
  '50,000-89,999',
  '10,000-49,999',
  'under 10,000',
] as const
/** Experience of registration 2.6 (requirements 3.24). */
export const financialExperiences = ['None', 'Less than 1 year', '1 to 5 years', 'More than 5 years'] as const

/** Experience of the trading experience form (requirements 5.2). */
export const tradingExperiences = ['yes', 'no'] as const
export const requiredMargins = ['0.10', '0.20', '0.30'] as const
export const closingOrderTypes = ['Hedge', 'Partial', 'Stop loss'] as const
export const leverageAnswers = ['Option 1', 'Option 2', 'Option 3'] as const
export const reactionsToLoss = ['Beginner', 'Intermediate', 'Advanced'] as const

/** Professional application: question02 and the Yes/No questions. */
export const yesNo = ['Yes', 'No'] as const
export const tradeCounts = ['0-9', '10-19', '20-29', '30+'] as const

export const requestTypes = ['live', 'demo'] as const
export type RequestType = (typeof requestTypes)[number]
export const clientStatuses = ['retail', 'professional'] as const
export type ClientStatus = (typeof clientStatuses)[number]

/** Texts that a client accepts, stored in settings by version (requirements 14.5). */
export const legalTextKeys = ['terms', 'privacy', 'riskDisclosure', 'declaration', 'clientAssetsDeclaration'] as const
export type LegalTextKey = (typeof legalTextKeys)[number]

export const clientFlags = ['pep', 'sanction', 'watch'] as const
export type ClientFlag = (typeof clientFlags)[number]

interface LanguageRow {
  /** Its own name for itself. */
  readonly name: string
  /** The locale of dates and figures. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
}

/**
 * The languages of the product (ADR 174): each is a row here and a file in each `locales/`. English is the source
 * language.
 */
export const languageRows = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr' },
  de: { name: 'Deutsch', locale: 'de-DE', direction: 'ltr' },
} as const satisfies Readonly<Record<string, LanguageRow>>
export type Language = keyof typeof languageRows
export const languages = Object.keys(languageRows) as readonly Language[]

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languageRows, text)
}

/** `not-carried-out`: the firm has not connected the source; shown and stored, no block. */
export const checkResults = ['pass', 'warn', 'block', 'not-carried-out'] as const
export type CheckResult = (typeof checkResults)[number]
