import { Trans, useLingui } from '@lingui/react/macro'
import type { ProfessionalApplication } from '#contract/office/professional.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { RecordSection } from '../../decision/client-facts.tsx'

interface AccountsToChangeProps {
  accounts: ProfessionalApplication['accounts']
  chosen: readonly string[]
  /** Left out once it is decided. */
  onChosen?: ((ids: readonly string[]) => void) | undefined
}

/** The live accounts of the client: which of them an approval makes professional. */
export function AccountsToChange({ accounts, chosen, onChosen }: AccountsToChangeProps) {
  const { t } = useLingui()
  const line = ({
    number,
    platform,
    type,
    currency,
    leverage,
    clientStatus,
  }: ProfessionalApplication['accounts'][number]) => (
    <>
      <span className="strong numbers unbroken">{number === null ? '–' : groupedByFour(number)}</span> {platform} ·{' '}
      {type} · {currency} · <span className="numbers">{leverageText(leverage)}</span> ·{' '}
      {clientStatus === 'professional' ? t`Professional` : t`Retail`}
    </>
  )
  if (accounts.length === 0)
    return (
      <RecordSection title={<Trans>Accounts</Trans>}>
        <p className="muted">
          <Trans>The client has no live account. Only the client’s status changes.</Trans>
        </p>
      </RecordSection>
    )
  return (
    <RecordSection
      title={onChosen ? <Trans>Accounts to categorise as professional</Trans> : <Trans>Live accounts</Trans>}
    >
      <ul className="accounts-to-change">
        {accounts.map((account) => (
          <li key={account.id}>
            {onChosen ? (
              <Checkbox
                checked={chosen.includes(account.id)}
                onChange={({ target }) =>
                  onChosen(target.checked ? [...chosen, account.id] : chosen.filter((id) => id !== account.id))
                }
              >
                {line(account)}
              </Checkbox>
            ) : (
              line(account)
            )}
          </li>
        ))}
      </ul>
    </RecordSection>
  )
}
