import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { moneyText } from '#ui/money/money.tsx'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { ActionSelect, ProposeDialog, type ProposeItemProps } from './propose-dialog.tsx'

/** A payment whose request was lost: assigns it to an account, or refunds it. */
export function ProposePaymentDialog({ item, onClose }: ProposeItemProps) {
  const { t, i18n } = useLingui()
  const [action, setAction] = useState<'adopt' | 'reverse'>('adopt')
  const [platform, setPlatform] = useState<'MT4' | 'MT5'>('MT5')
  const [accountNumber, setNumber] = useState('')
  const isCredited = action === 'adopt'
  return (
    <ProposeDialog
      item={item}
      onClose={onClose}
      subject={moneyText({ minor: item.amount, currency: item.currency }, i18n.locale)}
      action={action}
      values={isCredited ? { platform, accountNumber: accountNumber.replaceAll(' ', '') } : {}}
      fields={['action', 'platform', 'accountNumber']}
    >
      {(errors) => (
        <>
          <ActionSelect
            value={action}
            errors={errors}
            onValue={setAction}
            options={{ adopt: t`Credit to an account`, reverse: t`Refund to payer` }}
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
    </ProposeDialog>
  )
}
