/** Labels of the sections and their fields. */
import { useLingui } from '@lingui/react/macro'
import type { SettingSection } from '#contract/setting-sections.ts'
import { isLanguage } from '#rules/choices.ts'
import { minorOf } from '#rules/money.ts'
import { languageName } from '#ui/i18n/language.ts'
import { formatAmount, decimalMarkOf } from '#ui/money/amount-format.ts'
import { timeText } from '#ui/text/time.tsx'
import { useSectionName } from '../../records/section-names.ts'
import { useWorkItemLabel } from '../../records/work-item-labels.ts'
import { useStaff } from '../../session.ts'

export function useSectionLabels(): (section: string) => { name: string; description: string } {
  const { t } = useLingui()
  const name = useSectionName()
  const descriptions: Readonly<Record<SettingSection, string>> = {
    notice: t`Visible to everyone on the login page and above the trading accounts.`,
    windDown: t`Services closed to clients. Withdrawals always stay available.`,
    firm: t`Firm name, colour and mailbox on every page and in every email.`,
    help: t`Contact, hours and answers that clients read under Help. The mailbox is under Branding.`,
    limits: t`Minimum amounts and the maximum total of expected bank transfers, in the account currency.`,
    methods: t`Deposit and withdrawal methods with fees and countries.`,
    wireAccounts: t`The firm’s client money accounts, as shown in the bank transfer details.`,
    rates: t`Between accounts in different currencies.`,
    thresholds: t`Amount from which a second person must approve.`,
    checks: t`Rules for check warnings and payment blocks.`,
    payouts: t`Who can release a payout batch to the bank, and when payouts resume after a recovery.`,
    countries: t`Risk level and availability of countries that differ from the default.`,
    legalTexts: t`Texts that clients accept. Clients must accept a higher version of the declaration again.`,
    professional: t`Whether clients can apply for professional status.`,
    platforms: t`Server names that clients can copy and whether accounts can be opened.`,
    platformGroups: t`Group on the trading server in which new accounts are opened. Existing accounts keep their group.`,
    security: t`Passwords, session lengths, links and security questions.`,
    rateLimits: t`Limits on repeated attempts.`,
    retention: t`Retention periods. Expired data is deleted daily.`,
    decisionsByPerson: t`Report of decisions by person, for administrators and the head of each queue.`,
    sla: t`Due time for each type of work item. Hours count on all days. Working days leave out weekends and the holidays below. Failed operations are due immediately. Open items keep their due times.`,
  }
  return (section) => ({
    name: name(section),
    description: Object.hasOwn(descriptions, section) ? descriptions[section as SettingSection] : '',
  })
}

/** Returns a function that returns "Title, English" for the path "title.en". */
export function usePathLabel(): (path: string) => string {
  const { t, i18n } = useLingui()
  const workItem = useWorkItemLabel()
  const words: Readonly<Record<string, string>> = {
    shown: t`Shown`,
    title: t`Heading`,
    lines: t`Line`,
    dates: t`Date`,
    at: t`time`,
    label: t`event`,
    before: t`“Before”`,
    deposits: t`No new deposits`,
    newAccounts: t`No new trading accounts`,
    leverage: t`No higher leverage`,
    name: t`Name`,
    legalName: t`Legal name`,
    brandColour: t`Colour`,
    logoUrl: t`Logo`,
    supportEmail: t`Support mailbox`,
    phone: t`Phone`,
    hours: t`Hours`,
    answers: t`Question`,
    question: t`question`,
    answer: t`answer`,
    languages: t`Languages`,
    timeZone: t`Time zone`,
    referencePrefix: t`Reference prefix`,
    depositMin: t`Minimum deposit`,
    withdrawalMin: t`Minimum withdrawal`,
    transferMin: t`Minimum transfer`,
    announcedMax: t`Maximum total of expected bank transfers per client`,
    deposit: t`Deposit`,
    withdrawal: t`Withdrawal`,
    method: t`name`,
    time: t`duration`,
    text: t`text`,
    fee: t`fee`,
    percent: t`percent`,
    flat: t`fixed`,
    byUninvolved: t`A person who has neither entered nor approved any of the payments must release the batch`,
    recoveryBankingDays: t`Bank statements after a recovery (banking days)`,
    cutOff: t`Cut-off time of the bank`,
    countries: t`countries`,
    AccountHolder: t`Account holder`,
    BankAccountNumber: t`Account number`,
    SpecialId: t`Sort code or bank code`,
    SwiftCode: t`SWIFT/BIC`,
    BankName: t`Bank`,
    pairs: t`Rate`,
    asOf: t`As of`,
    maxAgeDays: t`Maximum age of the rates (days)`,
    changes: t`Country`,
    level: t`risk level`,
    available: t`available`,
    version: t`version`,
    terms: t`Terms`,
    privacy: t`Privacy`,
    riskDisclosure: t`Risk disclosure`,
    declaration: t`Declaration`,
    clientAssetsDeclaration: t`Client assets declaration`,
    applicationsOpen: t`Applications open`,
    demoServer: t`demo server`,
    liveServer: t`live server`,
    open: t`new accounts`,
    clock: t`server clock`,
    hoursAhead: t`Hours ahead of the time zone`,
    rows: t`Group`,
    passwordLengthMin: t`Minimum client password length`,
    staffPasswordLengthMin: t`Minimum staff password length`,
    plainPasswords: t`Unencrypted passwords over the API`,
    clientIdleMinutes: t`Client idle timeout (minutes)`,
    clientLifeMinutes: t`Client session length (minutes)`,
    staffIdleMinutes: t`Staff idle timeout (minutes)`,
    staffLifeMinutes: t`Staff session length (minutes)`,
    resetMinutes: t`Reset link (minutes)`,
    confirmationHours: t`Confirmation link (hours)`,
    invitationHours: t`Invitation (hours)`,
    proofMinutes: t`Identity confirmation for payments (minutes)`,
    questions: t`Security question`,
    failedSignInsOfPair: t`Failed sign-ins per account and address in 15 minutes`,
    failedSignInsOfAddress: t`Failed sign-ins per address in 15 minutes`,
    registrationsPerHour: t`Registrations per address and hour`,
    resetsPerHour: t`Password resets per account and hour`,
    uploadsPerHour: t`Uploads per client and hour`,
    moneyRequestsPerMinute: t`Payment requests per client and minute`,
    mailsPerHour: t`Emails per mailbox and hour`,
    exportsPerHour: t`Exports per staff member and hour`,
    accountRequestsPerHour: t`Account requests per client and hour`,
    identityExpired: t`Expired identity document`,
    proofOfAddressMonths: t`Proof of address validity (months)`,
    marginLevelMin: t`Minimum margin level after a payment (%)`,
    signInChangeHours: t`Period after a change of sign-in details (hours)`,
    signInChange: t`Change of sign-in details`,
    documents: t`Documents`,
    clients: t`Client approvals`,
    money: t`Payments`,
    enquiries: t`Enquiries`,
    complaintDays: t`Complaints (days)`,
    other: t`Other queues`,
    holidays: t`Holiday`,
    registrationDays: t`Unconfirmed registrations (days)`,
    unfinishedClientDays: t`Incomplete registrations (days)`,
    unusedFileDays: t`Unused uploads (days)`,
    sessionDays: t`Ended sessions (days)`,
    linkDays: t`Used one-time links (days)`,
    noticeDays: t`Notifications (days)`,
    otherLetterDays: t`Emails to people without a client record (days)`,
    enquiryDays: t`Messages from people without a client record (days)`,
    closedClientYears: t`Closed clients (years)`,
    rejectedClientYears: t`Rejected clients (years)`,
  }
  const groupRow = (row: string) =>
    row
      .split(' ')
      .map((fact) => groupWords[fact] ?? fact)
      .join(' · ')
  const groupWords: Readonly<Record<string, string>> = {
    real: t`live`,
    demo: t`demo`,
    retail: t`Retail`,
    professional: t`Professional`,
  }
  const label = (part: string) =>
    words[part] ??
    (isGroupRow(part)
      ? groupRow(part)
      : isLanguage(part)
        ? languageName(part, i18n.locale)
        : /^\d+$/.test(part)
          ? String(Number(part) + 1)
          : part)
  return (path) => {
    const [section, kind = '', part = ''] = path.split('.')
    if (section === 'times') return `${workItem(kind)}, ${part === 'unit' ? t`unit` : t`due time`}`
    return path
      .split('.')
      .map(label)
      .join(', ')
      .replace(/, (\d+)/g, ' $1')
  }
}

/** Returns whether a part of a path is the name of a row of platform groups. */
function isGroupRow(part: string): boolean {
  return /^MT[45] /.test(part)
}

/** Returns a value of a difference as text: switches as words, instants as dates. */
export function useLeafText(): (text: string | null, path: string) => string {
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  return (text, path) => {
    if (text === null || text === '') return '–'
    if (text.startsWith('data:image/')) return t`an image`
    if (instant.test(text)) return timeText(new Date(text), i18n.locale, undefined, firm.timeZone)
    if (amountPath.test(path) && isAmount(text)) return formatAmount(text, i18n.locale)
    if (numberPath.test(path)) return toLocaleDecimal(text, i18n.locale)
    if (text === 'true') return t`on`
    if (text === 'false') return t`off`
    if (text === 'hours' && unitPath.test(path)) return t`hours`
    if (text === 'workingDays' && unitPath.test(path)) return t`working days`
    if (text === 'warn' && severityPath.test(path)) return t`Warning`
    if (text === 'block' && severityPath.test(path)) return t`Block`
    return text.length > longText ? `${text.slice(0, longText)}…` : text
  }
}

/** Returns whether the text is a decimal with at most two places, the stored form of amounts. */
export function isAmount(text: string): boolean {
  const minor = minorOf(text)
  return minor !== null && minor >= 0n
}

/** Returns a rate or a fee with the decimal separator of the reader's language. */
export function toLocaleDecimal(decimal: string, locale: string): string {
  return decimalMarkOf(locale) === ',' && /^\d*\.\d*$/.test(decimal) ? decimal.replace('.', ',') : decimal
}

export function fromLocaleDecimal(written: string, locale: string): string {
  return decimalMarkOf(locale) === ',' && /^\d*,\d*$/.test(written) ? written.replace(',', '.') : written
}

/** The paths of limits and thresholds. */
const amountPath = /^((depositMin|withdrawalMin|transferMin|announcedMax)\.)?(EUR|GBP|USD)$/
const numberPath = /^pairs\.|\.fee\.(percent|flat)$/
const severityPath = /^(identityExpired|signInChange)$/
const unitPath = /^times\.\w+\.unit$/
const longText = 160
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/
