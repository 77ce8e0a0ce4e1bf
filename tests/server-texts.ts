/**
 * Prints every email and PDF document of the server in a language, as texts by name: `node tests/server-texts.ts xa`,
 * in the copy of the product that tests/pseudo-language.ts makes. Their data have no vowels, so that they are no texts
 * of ours.
 */
import type { Language } from '#rules/choices.ts'
import { statementLabels } from '#server/features/statements/statement-labels.ts'
import { render as renderWire } from '#server/features/deposits/render-wire-details.ts'
import { render as renderReceipt } from '#server/features/history/render-receipt.ts'
import { render as renderHistory } from '#server/features/history/render-statement.ts'
import { render as renderMonth } from '#server/features/statements/render-month.ts'
import { render as renderYear } from '#server/features/statements/render-year.ts'
import { translate } from '#server/i18n/translate.ts'
import { renderLayout } from '#server/mail/layout.ts'
import { mailTemplates } from '#server/mail/template-registry.ts'
import type { Letterhead, MailContent, MailTemplate } from '#server/mail/template.ts'
import { pdfText } from './files.ts'

const language = process.argv[2] as Language
const at = new Date('2026-06-19T09:44:00Z')

const letterhead: Letterhead = {
  firmName: 'FRM',
  supportEmail: '1@2.3',
  brandColour: '#0b5563',
  portalUrl: 'https://1.2',
  officeUrl: 'https://1.2',
  timeZone: 'UTC',
  languages: [language],
  oneTimeId: () => '',
}
const facts = {
  number: '5100001',
  server: 'SRV',
  platform: 'MT5',
  type: 'ECN',
  from: '1:30',
  to: '1:100',
  link: '1',
  by: 'NM',
  minor: '123450',
  currency: 'EUR',
  arrivesMinor: '133943',
  arrivesCurrency: 'USD',
  account: '5100001',
  source: '5100001',
  destination: '5100002',
  reference: 'CR-1',
  AccountHolder: 'HLD',
  IBAN: 'GB1',
  SwiftCode: 'S',
  BankAccountNumber: '',
  SpecialId: '',
  BankName: 'BNK',
  BankReference: 'CR-1',
  bank: 'BNK',
  hours: 72,
  minutes: 30,
  at: at.getTime() / 1000,
  due: at.getTime() / 1000,
  device: 'DVC',
  address: '127.0.0.1',
  document: 'passport',
  date: '2026-07-30',
  field: 'surname',
  count: 2,
  month: '2026-08',
  text: 'TXT',
  record: '1',
  reason: 'RSN',
}
/** Facts that have another meaning in one kind of email. */
const ownFacts: Readonly<Record<string, object>> = {
  'staff-report': { from: '2026-06-01', to: '2026-06-30' },
  'deposit-in-review': { paidMinor: '9000', paidCurrency: 'EUR', until: at.getTime() / 1000 },
}
/** The facts on which the text of an email depends. */
const variants = [
  {},
  { wanted: true, portal: true, side: 'front', outcome: 'upheld', count: 1, account: null },
  { side: 'back', outcome: 'rejected', by: null, reason: null },
]

const texts: Record<string, string> = {}
for (const [kind, template] of Object.entries(mailTemplates))
  for (const [index, variant] of variants.entries()) {
    const content = contentOf(template, { ...facts, ...ownFacts[kind], ...variant }, index === 0)
    if (content === null) continue
    const { text } = renderLayout(content, language, letterhead)
    texts[`mail ${kind} ${index}`] = `${content.subject}\n${text}`.replaceAll(/https:\S+/g, '')
  }

/**
 * Returns a mail with these facts, and with a text for each further one that it needs; null for a variant that does not
 * apply to it.
 */
function contentOf(template: MailTemplate, known: Record<string, unknown>, isUsual: boolean): MailContent | null {
  try {
    return template(known, language, letterhead)
  } catch (error) {
    const lacking = /^email fact (\w+) is missing$/.exec((error as Error).message)?.[1]
    if (lacking !== undefined && !(lacking in known))
      return contentOf(template, { ...known, [lacking]: 'TXT' }, isUsual)
    if (isUsual) throw error
    return null
  }
}

const head = { firm: 'FRM', client: 'NM', platform: 'MT5', number: '5100001', accountType: 'ECN', currency: 'EUR' }
const shown = { ...head, language, createdAt: at, timeZone: 'UTC' }
const ends = { balance: '100', credit: '200', floating: '300' }
const moved = { deposits: '1', withdrawals: '2', transfers: '3', returned: '4', credit: '5', other: '6', profit: '7' }
const sums = {
  opening: ends,
  closing: { ...ends, floating: '400', margin: '500' },
  rows: { ...moved, swap: '8', commission: '9', fee: '1' },
}
const costs = { profit: '1', swap: '2', commission: '3', fee: '4' }
const trade = {
  ticket: '1',
  openedMs: '1',
  closedMs: '2',
  symbol: 'SMB',
  volume: '1000000',
  openPrice: '1',
  closePrice: '2',
}
const position = { position: '1', openedMs: '1', symbol: 'SMB', openPrice: '1', price: '2', swap: '1', profit: '2' }
const movements = Object.keys({ ...moved, unheard: '' }).map((row) => ({
  ticket: '1',
  ms: '1',
  row,
  reference: '1',
  amount: '1',
}))
const month = {
  ...sums,
  trades: (['buy', 'sell'] as const).map((side) => ({ ...trade, ...costs, side })),
  positions: ['1', '-1'].map((net) => ({ ...position, net })),
  movements,
  positionsMs: '1',
  offsetMinutes: 180,
}
const request = {
  id: '1',
  reference: 'CR-1',
  comment: '',
  timestamp: at,
  timeApproved: at,
  timeRejected: null,
  cancellable: false,
}
const deposit = {
  ...request,
  accountNumber: '5100001',
  depositType: 'wire',
  depositMethod: 'MTD',
  depositAmountSent: 100n,
  depositAmountReceived: null,
  depositFee: 1n,
  depositRefunded: 2n,
  depositChargedBack: 3n,
  depositCurrency: 'EUR',
  status: 'approved',
} as const
const withdrawal = {
  ...request,
  accountNumber: '5100001',
  withdrawalType: 'wire',
  withdrawalMethod: 'MTD',
  withdrawalAmount: 100n,
  withdrawalFee: 1n,
  withdrawalCurrency: 'EUR',
  bankName: 'BNK',
  bankEnding: '1234',
  status: 'paid',
  timePaid: at,
  timeReturned: null,
} as const
const transfer = {
  ...request,
  sourceAccount: '5100001',
  destinationAccount: '5100002',
  transferAmount: 100n,
  transferCurrency: 'EUR',
  rate: '1.08',
  arrives: 108n,
  arrivesCurrency: 'USD',
  status: 'approved',
} as const
const history = {
  head: { firm: 'FRM', name: 'NM', email: '1@2.3', madeAt: at, timeZone: 'UTC', asked: '' },
  balances: [{ accountNumber: '5100001', currency: 'EUR', opening: 1n, closing: 2n }],
  language,
} as const
const wire = {
  AccountHolder: 'HLD',
  IBAN: 'GB1',
  SwiftCode: 'S',
  BankAccountNumber: '1',
  SpecialId: '2',
  BankName: 'BNK',
}
const many = Array.from({ length: 501 }, () => transfer)
const receipt = {
  firm: 'FRM',
  title: 'TTL',
  client: 'NM',
  amount: '1',
  status: 'ST',
  rows: [['LBL', '1']],
  verify: 'VRF',
} as const

const missing = [
  { month: '2026-01', why: 'beforeOpening' },
  { month: '2026-02', why: 'beforeOpening' },
  { month: '2026-03', why: 'endsUnknown' },
  { month: '2026-04', why: 'inReview' },
  { month: '2026-05', why: 'notCreated' },
  { month: '2026-06', why: 'accountGone' },
  { month: '2026-07', why: 'notEnded' },
] as const

const papers = {
  month: renderMonth({ head: shown, month: '2026-08-01', edition: 2, facts: month }),
  'month of a quiet account': renderMonth({
    head: shown,
    month: '2026-08-01',
    edition: 1,
    facts: { ...month, trades: [], positions: [{ ...position, net: '1' }], movements: [], positionsMs: null },
  }),
  'month by its reports': renderMonth({
    head: shown,
    month: '2026-08-01',
    edition: 1,
    facts: { ...month, positionsMs: null, positionsDay: '2026-08-31' },
  }),
  year: renderYear({ head: shown, year: '2026', months: [{ ...sums, month: '2026-08', edition: 1 }], missing }),
  history: renderHistory({ ...history, payments: { deposits: [deposit], withdrawals: [withdrawal], transfers: [] } }),
  'long history': renderHistory({ ...history, payments: { deposits: [], withdrawals: [], transfers: many } }),
  'wire details': renderWire({
    firm: 'FRM',
    details: { ...wire, BankReference: 'CR-1' },
    amountMinor: 100n,
    currency: 'EUR',
    login: '5100001',
    until: '1',
    language,
  }),
  'receipt without a font': renderReceipt({ ...receipt, client: '\u{13000}', created: '1', language }),
}
for (const [name, bytes] of Object.entries(papers)) texts[`PDF ${name}`] = await pdfText(await bytes)
texts['what a cut statement says'] = translate(statementLabels.tradesCut, language, { count: 1, all: 2 })
process.stdout.write(JSON.stringify(texts))
