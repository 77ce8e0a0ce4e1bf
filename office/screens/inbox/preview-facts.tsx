import { useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getInboxItem, InboxItem } from '#contract/office/inbox.ts'
import { currencies, minorOf } from '#rules/money.ts'
import { groupedByFour } from '#ui/grouped.ts'
import type { KeyValue } from '#ui/key-values.tsx'
import { Money } from '#ui/money.tsx'
import { countryName } from '../../decision/country-name.ts'
import { useDocumentWord } from '../../decision/document-words.ts'
import { useFactWords } from '../../records/item-words.ts'

type Preview = AnswerOf<typeof getInboxItem>

/** The facts of an item as rows; what has no label here stands on its page. */
export function usePreviewFacts({ item, facts }: Preview): KeyValue[] {
  const { t } = useLingui()
  const of = (code: string) => facts.find((fact) => fact.code === code)?.value
  const values = useValues(item.kind, of('currency'))
  const inAmount = ['amount', 'ours', 'theirs'].some((code) => of(code) !== undefined)
  const labels: Readonly<Record<string, string>> = {
    amount: t`Amount`,
    account: t`Account`,
    source: t`From account`,
    destination: t`To account`,
    reference: t`Reference`,
    kinds: t`Documents`,
    platform: t`Platform`,
    type: item.kind === 'deposit' || item.kind === 'difference' ? t`Paid by` : t`Type`,
    leverage: t`Leverage`,
    staff: t`Person`,
    from: t`Now`,
    to: t`Asked for`,
    askedFor: t`Who wishes it`,
    country: t`Country of residence`,
    riskLevel: t`Risk level`,
    clientStatus: t`Status of the client`,
    number: t`Number ends in`,
    form: t`Form`,
    passed: t`Tests passed`,
    field: t`Field`,
    payer: t`Payer`,
    remittance: t`Remittance`,
    section: t`Section`,
    changes: t`Fields changed`,
    ours: t`Ours`,
    theirs: t`Theirs`,
    kind: t`Kind`,
    ref: t`Reference`,
    tries: t`Tries`,
    ...(inAmount ? {} : { currency: t`Currency` }),
  }
  // The country of the client's residence comes after that of the bank.
  const isOfBank = (place: number) =>
    item.kind === 'bank_details' && facts.findIndex(({ code }) => code === 'country') === place
  return facts.flatMap(({ code, value }, place) => {
    const key = code === 'country' && isOfBank(place) ? t`Country of the bank` : labels[code]
    return key === undefined ? [] : [{ key, value: values[code]?.(value) ?? value }]
  })
}

/** How a value is read, by its code. */
function useValues(kind: InboxItem['kind'], given: string | undefined) {
  const { t, i18n } = useLingui()
  const word = useFactWords()
  const documentWord = useDocumentWord()
  const currency = currencies.find((one) => one === given)
  const money = (value: string) => {
    const minor = minorOf(value)
    return minor !== null && currency ? <Money amount={{ minor, currency }} /> : value
  }
  const roles = (value: string) => (kind === 'staff_change' ? word.roles(value) : value)
  const values: Readonly<Record<string, (value: string) => KeyValue['value']>> = {
    amount: money,
    ours: money,
    theirs: money,
    account: groupedByFour,
    source: groupedByFour,
    destination: groupedByFour,
    country: (value) => countryName(value, i18n.locale),
    leverage: (value) => (value.startsWith('1:') ? value : `1:${value}`),
    kinds: (value) => value.split(', ').map(documentWord).join(', '),
    kind: kind === 'difference' ? word.difference : word.operation,
    field: word.field,
    section: word.section,
    from: roles,
    to: roles,
    type: (value) => (kind === 'deposit' || kind === 'difference' ? word.paidBy(value) : value),
    askedFor: (value) => (value === 'client' ? t`The client` : t`The firm`),
    clientStatus: (value) => (value === 'professional' ? t`Professional Client` : t`Retail Client`),
    form: (value) => (value === 'iban' ? 'IBAN' : t`account number`),
    number: (value) => `…${value}`,
  }
  return values
}
