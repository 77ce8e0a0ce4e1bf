/** The second line of an item: its facts by kind, the figure first. */
import { useLingui } from '@lingui/react/macro'
import type { InboxItem } from '#contract/office/inbox.ts'
import { currencies, minorOf } from '#rules/money.ts'
import { groupedByFour } from '#ui/grouped.ts'
import { moneyText } from '#ui/money.tsx'
import { countryName } from '../decision/country-name.ts'
import { useDocumentWord } from '../decision/document-words.ts'
import { summaryText } from './summary-text.ts'
import { plainWords, useRecordWord } from './work-words.ts'

export interface ItemWords {
  kind: string
  /** What of it waits: a second approval, the payout. */
  stage: string | null
  facts: string
}

/** What waits, wherever it is listed. */
type Waiting = Pick<InboxItem, 'kind' | 'state' | 'summary'>

export function useItemWords(): (item: Waiting) => ItemWords {
  const { t } = useLingui()
  const record = useRecordWord()
  const facts = useFacts()
  return (item) => {
    const kind = item.kind === 'client' ? t`Client to approve` : record(item.kind)
    const stage =
      item.state === 'second_approval'
        ? t`second approval`
        : item.kind === 'withdrawal' && item.state === 'approved'
          ? t`to pay out`
          : null
    return { kind, stage, facts: facts(item) }
  }
}

function useFacts(): (item: Waiting) => string {
  const { t, i18n } = useLingui()
  const documentWord = useDocumentWord()
  return ({ kind, summary }) => {
    const of = (name: string) => {
      const value = summary[name]
      return value === undefined || value === null ? '' : String(value)
    }
    const currency = currencies.find((one) => one === summary['currency'])
    const minor = minorOf(of('amount'))
    const amount = currency && minor !== null ? moneyText({ minor, currency }, i18n.locale) : ''
    const listed = (...parts: string[]) => parts.filter((part) => part !== '').join(' · ')
    switch (kind) {
      case 'document':
        return of('kinds')
          .split(', ')
          .map((code, index) => (index === 0 ? documentWord(code) : documentWord(code).toLowerCase()))
          .join(', ')
      case 'account':
        return listed(of('platform'), of('type'), of('currency'))
      case 'leverage_request':
        return listed(groupedByFour(of('account')), t`${of('from')} to ${of('to')}`)
      case 'bank_details':
        return listed(
          of('form') === 'iban' ? 'IBAN' : t`account number`,
          of('country') && countryName(of('country'), i18n.locale),
          of('currency'),
        )
      case 'professional':
        return t`${of('passed')} of 3 tests claimed`
      case 'profile_change':
        return plainWords(of('field'))
      case 'withdrawal':
        return listed(amount, groupedByFour(of('account')))
      case 'deposit':
        return listed(amount, of('type'), of('reference'))
      case 'transfer':
        return listed(amount, t`${groupedByFour(of('source'))} to ${groupedByFour(of('destination'))}`)
      case 'bank_line':
        return listed(amount, of('payer'), of('remittance'))
      case 'erasure':
        return of('askedFor') === 'client' ? t`wished by the client` : t`wished by the firm`
      case 'client':
        return of('country') && countryName(of('country'), i18n.locale)
      default:
        return summaryText(summary)
    }
  }
}
