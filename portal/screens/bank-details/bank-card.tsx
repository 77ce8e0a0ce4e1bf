import { Trans, useLingui } from '@lingui/react/macro'
import type { BankDetails as Bank } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import { Link } from '#ui/navigation/link.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { countryName, useCountries } from '../../portal-settings.ts'

/** One bank account: GB by account number and sort code, others by IBAN and SWIFT/BIC (requirements 12.1). */
export function BankCard({ bank }: { bank: Bank }) {
  const countries = useCountries()
  return (
    <Link className={`bank-card ${bank.status}`} href={portalPaths.bankRecord(bank._id)} replace>
      <span className="row between">
        <b className="strong">{bank.bankName}</b>
        <StatusBadge record="bank_details" state={bank.status} />
      </span>
      <BankNumbers bank={bank} />
      <span className="bank-card-foot">
        <span>
          {bank.bankAccountCurrency} · {countryName(countries, bank.bankCountry)}
        </span>
        <span>
          <Trans>
            Added <Time at={bank.timestamp} form="bank" />
          </Trans>
        </span>
      </span>
      {bank.status === 'pending' && (
        <span className="bank-card-words">
          <Trans>We are checking the name on your bank statement. You can still change the details.</Trans>
        </span>
      )}
      {bank.status === 'rejected' && (
        <span className="bank-card-words tone-bad">
          {bank.reason ? <UserText>{bank.reason}</UserText> : <Trans>This bank account was not approved.</Trans>}{' '}
          <Trans>Open it to correct the details.</Trans>
        </span>
      )}
    </Link>
  )
}

function BankNumbers({ bank }: { bank: Bank }) {
  const { t } = useLingui()
  const isBritish = bank.bankCountry === 'GB'
  const rows = isBritish
    ? [
        { label: t`Sort code`, text: sortCodeText(bank.bankSortCode ?? '') },
        { label: t`Account`, text: groupedByFour(bank.bankAccountNumber ?? ''), last: true },
      ]
    : [
        { label: t`IBAN`, text: groupedByFour(bank.bankIBAN ?? ''), last: true },
        { label: t`SWIFT/BIC`, text: bank.bankSwift ?? '' },
      ]
  return (
    <span className="bank-numbers numbers">
      {rows.map(({ label, text, last }) => (
        <span key={label}>
          <span className="bank-number-label">{label}</span>
          {last ? <LastGroupsLarge text={text} /> : text}
        </span>
      ))}
    </span>
  )
}

/** Clients recognise an account by its last characters: whole groups are large, none is split. */
function LastGroupsLarge({ text }: { text: string }) {
  const groups = text.split('\u00a0')
  const last = groups.at(-1) ?? ''
  const large = last.length < 4 && groups.length > 1 ? 2 : 1
  const before = groups.slice(0, -large).join('\u00a0')
  return (
    <span>
      {before}
      {before !== '' && '\u00a0'}
      <b className="bank-last">{groups.slice(-large).join('\u00a0')}</b>
    </span>
  )
}
