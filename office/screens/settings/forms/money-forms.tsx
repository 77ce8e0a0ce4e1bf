/** Amounts, accounts and rates; those of three kinds wait for a second administrator. */
import { Trans, useLingui } from '@lingui/react/macro'
import { currencies } from '#rules/money.ts'
import { jsonWithout, namesAt, jsonAt, useDraft } from '../draft.ts'
import { AmountAt, focusAt, TextAt } from '../fields.tsx'
import { usePathWord } from '../section-words.ts'

export function LimitsForm() {
  const word = usePathWord()
  return ['depositMin', 'withdrawalMin', 'transferMin'].map((kind) => (
    <div key={kind} className="settings-group">
      <h2 className="title-3">{word(kind)}</h2>
      <AmountsByCurrency path={kind} />
    </div>
  ))
}

export function ThresholdsForm() {
  return <AmountsByCurrency path="" />
}

function AmountsByCurrency({ path }: { path: string }) {
  return (
    <div className="columns-3">
      {currencies.map((currency) => (
        <AmountAt key={currency} path={path === '' ? currency : `${path}.${currency}`} label={currency} />
      ))}
    </div>
  )
}

export function WireAccountsForm() {
  return currencies.map((currency) => (
    <div key={currency} className="settings-group">
      <h2 className="title-3">{currency}</h2>
      <TextAt path={`${currency}.AccountHolder`} label={<Trans>Account holder</Trans>} />
      <TextAt path={`${currency}.IBAN`} label="IBAN" optional />
      <div className="columns-2">
        <TextAt path={`${currency}.BankAccountNumber`} label={<Trans>Account number</Trans>} optional />
        <TextAt path={`${currency}.SpecialId`} label={<Trans>Sort code or bank code</Trans>} optional />
        <TextAt path={`${currency}.SwiftCode`} label={<Trans>SWIFT code</Trans>} optional />
        <TextAt path={`${currency}.BankName`} label={<Trans>Bank</Trans>} />
      </div>
    </div>
  ))
}

const pairs = currencies.flatMap((from) => currencies.filter((to) => to !== from).map((to) => `${from}/${to}`))

export function RatesForm() {
  const { t } = useLingui()
  const { value, set } = useDraft()
  const held = namesAt(value, 'pairs')
  return (
    <>
      {held.map((pair) => {
        const [from = '', to = ''] = pair.split('/')
        return (
          <div key={pair} className="stack-2">
            <TextAt
              path={`pairs.${pair}`}
              label={pair}
              hint={t`How many ${to} one ${from} is worth`}
              inputMode="decimal"
            />
            <button
              type="button"
              className="text-button"
              onClick={() => set('pairs', jsonWithout(jsonAt(value, 'pairs'), pair))}
            >
              <Trans>Remove {pair}</Trans>
            </button>
          </div>
        )
      })}
      <div className="row wrap">
        {pairs
          .filter((pair) => !held.includes(pair) && !held.includes(pair.split('/').toReversed().join('/')))
          .map((pair) => (
            <button
              key={pair}
              type="button"
              className="text-button"
              onClick={() => {
                set(`pairs.${pair}`, '')
                focusAt(`pairs.${pair}`)
              }}
            >
              <Trans>Add {pair}</Trans>
            </button>
          ))}
      </div>
      <TextAt path="asOf" label={<Trans>As of</Trans>} />
    </>
  )
}
