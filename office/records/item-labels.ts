/** The second line of an item: its facts by kind, the amount first. */
import { useLingui } from '@lingui/react/macro'
import { topicLabels } from '#contract/enquiry-labels.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import type { InboxItem } from '#contract/office/inbox.ts'
import { staffRoles } from '#rules/actors.ts'
import { currencies, minorOf } from '#rules/money.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { moneyText } from '#ui/money/money.tsx'
import { countryName } from '../decision/country-name.ts'
import { useDocumentList } from '../decision/document-labels.ts'
import { useRoleLabels } from '../layout/role-labels.ts'
import { useSectionName } from './section-names.ts'
import {
  useDifferenceLabels,
  useOperationLabel,
  usePaidByLabel,
  useWorkItemLabel,
  useRecoverySignLabel,
} from './work-item-labels.ts'

export interface ItemLabels {
  kind: string
  /** The pending stage: a second approval, the payout. */
  stage: string | null
  facts: string
}

/** A pending item, in any list. */
type LabelledItem = Pick<InboxItem, 'kind' | 'state' | 'summary'>

export function useItemLabels(): (item: LabelledItem) => ItemLabels {
  const { t } = useLingui()
  const record = useWorkItemLabel()
  const facts = useFacts()
  return (item) => {
    const kind = record(item.kind)
    const stage =
      item.state === 'second_approval'
        ? t`second approval`
        : item.state === 'settlement_proposed'
          ? t`card settlement`
          : item.kind === 'withdrawal' && item.state === 'approved'
            ? t`ready for payout`
            : null
    return { kind, stage, facts: facts(item) }
  }
}

function useFacts(): (item: LabelledItem) => string {
  const { t, i18n } = useLingui()
  const documentList = useDocumentList()
  const word = useFactLabels()
  return ({ kind, summary }) => {
    const of = (name: string) => {
      const value = summary[name]
      return value === undefined || value === null ? '' : String(value)
    }
    const currency = currencies.find((one) => one === summary['currency'])
    const minor = minorOf(of('amount'))
    const amount = currency && minor !== null ? moneyText({ minor, currency }, i18n.locale) : ''
    const account = groupedByFour(of('account'))
    const listed = (...parts: string[]) => parts.filter((part) => part !== '').join(' · ')
    switch (kind) {
      case 'document':
        return documentList(of('kinds').split(', '))
      case 'account':
        return listed(of('platform'), of('type'), of('currency'))
      case 'leverage_request':
        return listed(account, t`${of('from')} to ${of('to')}`)
      case 'bank_details':
        return listed(
          of('form') === 'IBAN' ? 'IBAN' : t`Account number`,
          of('country') && countryName(of('country'), i18n.locale),
          of('currency'),
        )
      case 'professional':
        return t`${of('passed')} of 3 criteria claimed`
      case 'profile_change':
        return word.field(of('field'))
      case 'enquiry':
        return listed(of('complaint') === 'true' ? t`Complaint` : '', word.topic(of('topic')), of('reference'))
      case 'payout_batch':
      case 'payout_stop':
        return listed(amount, of('reference'))
      case 'withdrawal':
      case 'correction':
      case 'firm_money':
        return listed(amount, account)
      case 'deposit':
        return listed(amount, word.paidBy(of('type')), of('reference'))
      case 'transfer':
        return listed(amount, t`${groupedByFour(of('source'))} to ${groupedByFour(of('destination'))}`)
      case 'bank_line':
        return listed(amount, of('payer'), of('remittance'))
      case 'erasure':
        return of('askedFor') === 'client' ? t`requested by the client` : t`requested by the firm`
      case 'client':
        return of('country') && countryName(of('country'), i18n.locale)
      case 'difference':
        return listed(word.difference(of('kind')), amount, account)
      case 'operation':
        return listed(word.operation(of('kind')), amount, account)
      case 'setting_change':
        return word.section(of('section'))
      case 'staff_change':
        return listed(of('staff'), word.roles(of('to')))
      case 'factor_reset':
        return ''
      case 'recovery_item':
        return listed(amount, account, of('reference'))
      case 'recovery':
        return word.sign(of('sign'))
    }
  }
}

/** Returns functions that return labels for the codes of facts. */
export function useFactLabels() {
  const role = useRoleLabels()
  return {
    field: useLabels(profileLabels),
    topic: useLabels(topicLabels),
    difference: useDifferenceLabels(),
    operation: useOperationLabel(),
    paidBy: usePaidByLabel(),
    section: useSectionName(),
    sign: useRecoverySignLabel(),
    roles: (roles: string) =>
      roles
        .split(', ')
        .map((one) => staffRoles.find((known) => known === one))
        .flatMap((known) => (known ? [role(known)] : []))
        .join(', '),
  }
}
