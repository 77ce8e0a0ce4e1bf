import { useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getInboxItem } from '#contract/office/inbox.ts'
import { currencies, minorOf } from '#rules/money.ts'
import { groupedByFour } from '#ui/grouped.ts'
import type { KeyValue } from '#ui/key-values.tsx'
import { Money } from '#ui/money.tsx'
import { countryName } from '../../decision/country-name.ts'
import { plainWords } from '../../records/work-words.ts'

type Preview = AnswerOf<typeof getInboxItem>

/** The facts of an item as rows; codes without a word of ours stand as they came. */
export function usePreviewFacts({ facts }: Preview): KeyValue[] {
  const { t, i18n } = useLingui()
  const of = (code: string) => facts.find((fact) => fact.code === code)?.value
  const currency = currencies.find((one) => one === of('currency'))
  const labels: Readonly<Record<string, string>> = {
    amount: t`Amount`,
    currency: t`Currency`,
    account: t`Account`,
    source: t`From account`,
    destination: t`To account`,
    reference: t`Reference`,
    kinds: t`Documents`,
    platform: t`Platform`,
    type: t`Type`,
    leverage: t`Leverage`,
    from: t`Now`,
    to: t`Asked for`,
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
    ours: t`Ours`,
    theirs: t`Theirs`,
    kind: t`Kind`,
    ref: t`Reference`,
  }
  const values: Readonly<Record<string, (value: string) => KeyValue['value']>> = {
    amount: (value) => {
      const minor = minorOf(value)
      return minor !== null && currency ? <Money amount={{ minor, currency }} /> : value
    },
    account: groupedByFour,
    source: groupedByFour,
    destination: groupedByFour,
    country: (value) => countryName(value, i18n.locale),
    leverage: (value) => (value.startsWith('1:') ? value : `1:${value}`),
    kinds: (value) => value.split(', ').map(plainWords).join(', '),
    field: plainWords,
    clientStatus: (value) => (value === 'professional' ? t`Professional Client` : t`Retail Client`),
    form: (value) => (value === 'iban' ? 'IBAN' : t`account number`),
    number: (value) => `…${value}`,
  }
  return facts
    .filter(({ code }) => !hidden.includes(code) && !(code === 'currency' && of('amount')))
    .map(({ code, value }) => ({ key: labels[code] ?? plainWords(code), value: values[code]?.(value) ?? value }))
}

/** Said elsewhere on the page, or of no use to a reader. */
const hidden: readonly string[] = ['client', 'count', 'requestType', 'fromRegistration', 'again', 'subject', 'code']
