/** The facts of what waits, as one line: "2,500.00 EUR · 5012 4471". */
import { i18n } from '@lingui/core'
import { minorOf, currencies, type Currency } from '#rules/money.ts'
import { groupedByFour } from '#ui/grouped.ts'
import { moneyText } from '#ui/money.tsx'
import { plainWords } from './work-words.ts'

type Fact = string | number | boolean | null

const quiet: readonly string[] = [
  'amount',
  'currency',
  'reference',
  'ref',
  'subject',
  'count',
  'changes',
  'requestType',
  'code',
  'client',
]

/** Amount first, then account, then the other facts in the order of the server. */
export function summaryText(summary: Readonly<Record<string, Fact>>): string {
  const parts: string[] = []
  const { amount, currency, account } = summary
  const known = currencies.find((one): one is Currency => one === currency)
  const minor = typeof amount === 'string' ? minorOf(amount) : null
  if (known && minor !== null) parts.push(moneyText({ minor, currency: known }, i18n.locale))
  else if (known) parts.push(known)
  if (typeof account === 'string' && account !== '') parts.push(groupedByFour(account))
  for (const [name, value] of Object.entries(summary)) {
    if (value === null || value === '' || typeof value === 'boolean' || quiet.includes(name) || name === 'account')
      continue
    if (name === 'leverage' || name === 'to') parts.push(typeof value === 'number' ? `1:${value}` : value)
    else parts.push(name === 'kinds' || name === 'field' || name === 'section' ? listed(String(value)) : String(value))
  }
  return parts.join(' · ')
}

function listed(codes: string): string {
  return codes
    .split(', ')
    .map((code, index) => (index === 0 ? plainWords(code) : plainWords(code).toLowerCase()))
    .join(', ')
}
