/** The sections and their fields in the reader's language. */
import { useLingui } from '@lingui/react/macro'
import type { SettingSection } from '#contract/setting-sections.ts'
import { minorOf } from '#rules/money.ts'
import { formatAmount } from '#ui/money/amount-format.ts'
import { timeWords } from '#ui/text/time.tsx'
import { useSectionName } from '../../records/section-names.ts'
import { useStaff } from '../../session.ts'

/** The order of the list: what clients see first, then money, then how the firm runs. */
export const sectionOrder: readonly SettingSection[] = [
  'notice',
  'windDown',
  'firm',
  'limits',
  'methods',
  'wireAccounts',
  'rates',
  'thresholds',
  'checks',
  'payouts',
  'countries',
  'legalTexts',
  'professional',
  'platforms',
  'security',
  'rateLimits',
  'dueHours',
  'retention',
]

export function useSectionLabels(): (section: string) => { name: string; says: string } {
  const { t } = useLingui()
  const name = useSectionName()
  const says: Readonly<Record<SettingSection, string>> = {
    notice: t`Shown to everybody on the login page and above the trading accounts.`,
    windDown: t`What clients can no longer start. Withdrawals stay open whatever is switched here.`,
    firm: t`Name, colour and mailbox of the firm, on every page and in every mail.`,
    limits: t`The minimum amounts, and the maximum of announced bank transfers, in the account's currency.`,
    methods: t`How clients pay in and out, with fees and countries.`,
    wireAccounts: t`The firm's client money accounts, as they stand in the wire details.`,
    rates: t`Between accounts in different currencies.`,
    thresholds: t`From this amount on a second person approves.`,
    checks: t`When a check warns and when it blocks a payment.`,
    payouts: t`Who may release a payout batch to the bank, and when payouts resume after a recovery.`,
    countries: t`Risk level and availability, where the firm differs from the dated default.`,
    legalTexts: t`What clients accept. A higher version of the declaration is asked for again.`,
    professional: t`Whether clients may apply to be treated as professionals.`,
    platforms: t`Server names that clients copy, and whether accounts can be opened.`,
    security: t`Passwords, session times, links and security questions.`,
    rateLimits: t`How often something may be tried before it has to wait.`,
    retention: t`How long what is kept. Once a day what has had its days is forgotten.`,
    dueHours: t`Within how many hours the queues are decided. Documents, clients and money run over weekends, everything else counts working days of 24 hours.`,
  }
  return (section) => ({
    name: name(section),
    says: Object.hasOwn(says, section) ? says[section as SettingSection] : '',
  })
}

/** "Title, English" of "title.en": what a path means to a person. */
export function usePathLabel(): (path: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    en: t`English`,
    de: t`German`,
    shown: t`Shown`,
    title: t`Heading`,
    lines: t`Line`,
    dates: t`Date`,
    at: t`when`,
    label: t`what happens`,
    before: t`“Before”`,
    deposits: t`No new deposits`,
    newAccounts: t`No new trading accounts`,
    leverage: t`No higher leverage`,
    name: t`Name`,
    legalName: t`Legal name`,
    brandColour: t`Colour`,
    logoUrl: t`Logo`,
    supportEmail: t`Support mailbox`,
    languages: t`Languages`,
    timeZone: t`Time zone`,
    referencePrefix: t`Prefix of references`,
    depositMin: t`Smallest deposit`,
    withdrawalMin: t`Smallest withdrawal`,
    transferMin: t`Smallest transfer`,
    announcedMax: t`Maximum of bank transfers that a client has announced and that have not arrived`,
    deposit: t`Deposit`,
    withdrawal: t`Withdrawal`,
    method: t`name`,
    time: t`how long`,
    text: t`text`,
    fee: t`fee`,
    percent: t`percent`,
    flat: t`flat`,
    byUninvolved: t`Released by a person who approved none of its payments`,
    recoveryBankingDays: t`Statements needed after a recovery, banking days`,
    countries: t`countries`,
    AccountHolder: t`Account holder`,
    BankAccountNumber: t`Account number`,
    SpecialId: t`Sort code or bank code`,
    SwiftCode: t`SWIFT code`,
    BankName: t`Bank`,
    pairs: t`Rate`,
    asOf: t`As of`,
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
    passwordLengthMin: t`Shortest password of clients`,
    staffPasswordLengthMin: t`Shortest password of staff`,
    plainPasswords: t`Unencrypted passwords over the API`,
    clientIdleMinutes: t`Clients: idle, minutes`,
    clientLifeMinutes: t`Clients: in all, minutes`,
    staffIdleMinutes: t`Staff: idle, minutes`,
    staffLifeMinutes: t`Staff: in all, minutes`,
    resetMinutes: t`Reset link, minutes`,
    confirmationHours: t`Confirmation link, hours`,
    invitationHours: t`Invitation, hours`,
    proofMinutes: t`Proof before money steps, minutes`,
    questions: t`Security question`,
    failedSignInsOfPair: t`Failed sign-ins, account and address, in 15 minutes`,
    failedSignInsOfAddress: t`Failed sign-ins of an address, in 15 minutes`,
    registrationsPerHour: t`Registrations of an address, in an hour`,
    resetsPerHour: t`Resets of an account, in an hour`,
    uploadsPerHour: t`Uploads of a client, in an hour`,
    moneyRequestsPerMinute: t`Money requests of a client, in a minute`,
    mailsPerHour: t`Mails to one mailbox, in an hour`,
    exportsPerHour: t`Exports of a staff member, in an hour`,
    accountRequestsPerHour: t`Account requests of a client, in an hour`,
    identityExpired: t`Expired identity document`,
    proofOfAddressMonths: t`Proof of address is valid for, months`,
    marginLevelMin: t`Minimum margin level after a payment, %`,
    signInChangeHours: t`Change of sign-in details counts for, hours`,
    signInChange: t`Change of sign-in details`,
    documents: t`Documents, hours`,
    clients: t`Clients, hours`,
    money: t`Money, hours`,
    other: t`Everything else, hours`,
    registrationDays: t`Registrations never confirmed, days`,
    unfinishedClientDays: t`Registrations never finished, days`,
    unusedFileDays: t`Unused uploads, days`,
    sessionDays: t`Ended sessions, days`,
    linkDays: t`Used one-time links, days`,
    noticeDays: t`Notices, days`,
    otherLetterDays: t`Mails to others than clients, days`,
    closedClientYears: t`Closed clients, years`,
    rejectedClientYears: t`Rejected clients, years`,
  }
  return (path) =>
    path
      .split('.')
      .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : (words[part] ?? part)))
      .join(', ')
      .replace(/, (\d+)/g, ' $1')
}

/** A value of a difference: switches and instants as words. */
export function useLeafText(): (text: string | null, path: string) => string {
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  return (text, path) => {
    if (text === null || text === '') return '–'
    if (text.startsWith('data:image/')) return t`a picture`
    if (instant.test(text)) return timeWords(new Date(text), i18n.locale, undefined, firm.timeZone)
    if (amountPath.test(path) && isAmount(text)) return formatAmount(text, i18n.locale)
    if (numberPath.test(path)) return withMark(text, i18n.locale)
    if (text === 'true') return t`on`
    if (text === 'false') return t`off`
    if (text === 'warn' && severityPath.test(path)) return t`Warning`
    if (text === 'block' && severityPath.test(path)) return t`Block`
    return text.length > longText ? `${text.slice(0, longText)}…` : text
  }
}

/** A decimal with at most two places, as the settings hold amounts. */
export function isAmount(text: string): boolean {
  const minor = minorOf(text)
  return minor !== null && minor >= 0n
}

/** A rate or a fee, held with a dot, with the mark of the reader's language. */
export function withMark(decimal: string, locale: string): string {
  return locale.startsWith('de') && /^\d*\.\d*$/.test(decimal) ? decimal.replace('.', ',') : decimal
}

export function withDot(written: string, locale: string): string {
  return locale.startsWith('de') && /^\d*,\d*$/.test(written) ? written.replace(',', '.') : written
}

/** A limit or a threshold. */
const amountPath = /^((depositMin|withdrawalMin|transferMin|announcedMax)\.)?(EUR|GBP|USD)$/
const numberPath = /^pairs\.|\.fee\.(percent|flat)$/
const severityPath = /^(identityExpired|signInChange)$/
const longText = 160
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/
