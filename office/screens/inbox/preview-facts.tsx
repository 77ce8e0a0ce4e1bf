import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getInboxItem, InboxItem } from '#contract/office/inbox.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import { currencies, minorOf } from '#rules/money.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import type { DescriptionRow } from '#ui/data/description-list.tsx'
import { Money } from '#ui/money/money.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { countryName } from '../../decision/country-name.ts'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { useFactLabels } from '../../records/item-labels.ts'

type Preview = ResponseOf<typeof getInboxItem>

export interface FactRow extends DescriptionRow {
  readonly code: string
}

/** Returns the facts of an item as rows; facts without a label are shown only on its page. */
export function usePreviewFacts({ item, facts }: Preview): FactRow[] {
  const { t } = useLingui()
  const label = useLabels(profileLabels)
  const of = (code: string) => facts.find((fact) => fact.code === code)?.value
  const values = useValueFormats(item.kind, of('currency'), of('paidCurrency'))
  const inAmount = ['amount', 'ours', 'theirs'].some((code) => of(code) !== undefined)
  const paidBy = item.kind === 'deposit' || item.kind === 'difference'
  // In reading order.
  const labels: Readonly<Record<string, string>> = {
    kind: t`Type`,
    staff: t`Person`,
    email: t`Email`,
    section: t`Section`,
    field: t`Field`,
    kinds: t`Documents`,
    passed: t`Criteria met`,
    askedFor: t`Requested by`,
    complaint: t`Complaint`,
    topic: t({ message: 'Subject', context: 'enquiry' }),
    about: t`About`,
    amount: t`Amount`,
    paid: t`Paid at the provider`,
    paidReference: t`Provider reference`,
    ours: t`Our value`,
    theirs: t`Provider’s value`,
    source: t`From account`,
    destination: t`To account`,
    account: t`Account`,
    ...(item.kind === 'correction' ? { deposit: t`Returned deposit` } : {}),
    from: t`Now`,
    to: t`Requested`,
    platform: t`Platform`,
    type: paidBy ? t`Payment method` : t`Type`,
    ...(inAmount ? {} : { currency: t`Currency` }),
    leverage: t`Leverage`,
    form: t`Number type`,
    number: t`Number ending`,
    payer: t`Payer`,
    remittance: t`Payment reference`,
    changes: t`Changed fields`,
    reference: t`Reference`,
    ref: t`Reference`,
    tries: t`Attempts`,
    country: label('country'),
    riskLevel: t`Risk level`,
    clientStatus: t`Client category`,
  }
  const order = Object.keys(labels)
  // The client's country of residence follows the bank's country.
  const ofBank = item.kind === 'bank_details' ? facts.find(({ code }) => code === 'country') : undefined
  return facts
    .filter(({ code }) => labels[code] !== undefined)
    .toSorted((one, other) => order.indexOf(one.code) - order.indexOf(other.code))
    .map((fact) => {
      const value = values[fact.code]?.(fact.value) ?? fact.value
      return {
        code: fact.code,
        key: fact === ofBank ? t`Country of the bank` : labels[fact.code],
        value: typeof value === 'string' ? <Codes>{value}</Codes> : value,
      }
    })
}

function moneyValue(value: string, given: string | undefined): DescriptionRow['value'] {
  const currency = currencies.find((one) => one === given)
  const minor = minorOf(value)
  return minor !== null && currency ? <Money amount={{ minor, currency }} /> : value
}

/** Returns formatters of values, by code. */
function useValueFormats(kind: InboxItem['kind'], given: string | undefined, paidIn: string | undefined) {
  const { t, i18n } = useLingui()
  const word = useFactLabels()
  const documentWord = useDocumentLabel()
  const money = (value: string) => moneyValue(value, given)
  const roles = (value: string) => (kind === 'staff_change' ? word.roles(value) : value)
  const values: Readonly<Record<string, (value: string) => DescriptionRow['value']>> = {
    amount: money,
    ours: money,
    theirs: money,
    paid: (value) => moneyValue(value, paidIn),
    account: groupedByFour,
    source: groupedByFour,
    destination: groupedByFour,
    country: (value) => countryName(value, i18n.locale),
    leverage: (value) => (value.startsWith('1:') ? value : `1:${value}`),
    kinds: (value) => value.split(', ').map(documentWord).join(', '),
    kind: kind === 'difference' ? word.difference : word.operation,
    field: word.field,
    section: word.section,
    topic: word.topic,
    complaint: (value) => (value === 'true' ? t`Yes` : t`No`),
    from: roles,
    to: roles,
    type: (value) => (kind === 'deposit' || kind === 'difference' ? word.paidBy(value) : value),
    askedFor: (value) => (value === 'client' ? t`The client` : t`The firm`),
    clientStatus: (value) => (value === 'professional' ? t`Professional Client` : t`Retail Client`),
    form: (value) => (value === 'IBAN' ? value : t`account number`),
  }
  return values
}
