/** Common parts of the mails about payments: amount, reference, reason, and the link to the record. */
import type { HistoryList } from '#contract/history.ts'
import { msg, type Message } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '#rules/choices.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { money, type Currency } from '#rules/money.ts'
import { amountText, commentText } from '../i18n/format.ts'
import { mailText, recordOf, factText, type Block, type Facts, type Letterhead } from './template.ts'

const labels = { reference: msg`Reference`, reason: msg`Reason` } as const

export function amountOf(facts: Facts, language: Language, minor = 'minor', currency = 'currency'): string {
  return amountText(money(BigInt(factText(facts, minor)), factText(facts, currency) as Currency), language)
}

/**
 * Returns a trading account as "MT5 1000 0231", from the facts with its number and its platform; older
 * mails have only the number.
 */
export function accountOf(facts: Facts, number = 'account', platform = 'platform'): string {
  const name = facts[platform]
  return `${typeof name === 'string' ? `${name} ` : ''}${groupByFour(factText(facts, number))}`
}

/** Returns the reference, and the reason if there is one. */
export function referenceRows(facts: Facts, language: Language): Block {
  const { reason } = facts
  const rows: [string, string][] = [[mailText(labels.reference, language), factText(facts, 'reference')]]
  if (typeof reason === 'string' && reason !== '')
    rows.push([mailText(labels.reason, language), commentText(reason, language)])
  return { rows }
}

export function recordButton(
  label: Message,
  list: HistoryList,
  facts: Facts,
  language: Language,
  { portalUrl }: Letterhead,
): Block {
  return { button: mailText(label, language), href: portalUrl + portalPaths.history(list, recordOf(facts)) }
}
