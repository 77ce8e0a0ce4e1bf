import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getRecovery, getRecoveryItem, listRecoveryItems, proposeRecoveryItem } from '#contract/office/recovery.ts'
import type { RecoveryAction } from '#rules/recovery-items.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

interface Props {
  item: ResponseOf<typeof getRecoveryItem>['item']
  onClose: () => void
}

/** A payment whose request was lost: assigns it to an account, or refunds it. */
export function ProposePaymentDialog({ item: { id, version, amount, currency }, onClose }: Props) {
  const { t, i18n } = useLingui()
  const [action, setAction] = useState<RecoveryAction>('adopt')
  const [platform, setPlatform] = useState<'MT4' | 'MT5'>('MT5')
  const [accountNumber, setNumber] = useState('')
  const isCredited = action === 'adopt'
  return (
    <ActionDialog
      refreshes={[listRecoveryItems, getRecoveryItem, getRecovery]}
      onClose={onClose}
      endpoint={proposeRecoveryItem}
      fields={['action', 'platform', 'accountNumber']}
      input={(reason) => ({
        id,
        version,
        action,
        ...(isCredited ? { platform, accountNumber: accountNumber.replaceAll(' ', '') } : {}),
        reason,
      })}
      done={t`The proposal has been recorded. Another finance supervisor must confirm it.`}
      title={<Trans>Propose a decision on {moneyText({ minor: amount, currency }, i18n.locale)}</Trans>}
      command={<Trans>Propose decision</Trans>}
    >
      {(errors) => (
        <>
          <Select
            label={t`Decision`}
            error={errors['action']}
            value={action}
            onChange={(event) => setAction(event.target.value as RecoveryAction)}
            options={[
              { value: 'adopt', label: t`Credit to an account` },
              { value: 'reverse', label: t`Refund to payer` },
            ]}
          />
          {isCredited && (
            <>
              <Select
                label={t`Platform`}
                error={errors['platform']}
                value={platform}
                onChange={(event) => setPlatform(event.target.value as typeof platform)}
                options={[
                  { value: 'MT5', label: 'MT5' },
                  { value: 'MT4', label: 'MT4' },
                ]}
              />
              <TextField
                label={t`Account number`}
                inputMode="numeric"
                className="numbers"
                error={errors['accountNumber']}
                value={accountNumber}
                onChange={(event) => setNumber(event.target.value)}
              />
            </>
          )}
        </>
      )}
    </ActionDialog>
  )
}
