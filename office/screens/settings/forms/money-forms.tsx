/** Amounts and accounts; those of two kinds wait for a second administrator. */
import { Trans } from '@lingui/react/macro'
import { currencies } from '#rules/money.ts'
import { AmountAt, TextAt } from '../fields.tsx'
import { usePathLabel } from '../section-labels.ts'

export function LimitsForm() {
  const word = usePathLabel()
  return ['depositMin', 'withdrawalMin', 'transferMin', 'announcedMax'].map((kind) => (
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
