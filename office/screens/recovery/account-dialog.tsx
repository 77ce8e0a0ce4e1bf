import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { groupedByFour } from '#ui/text/code-format.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { ActionSelect, ProposeDialog, type ProposeItemProps } from './propose-dialog.tsx'

/** An account that exists only on the platform: assigns it to a client, or keeps it disabled. */
export function ProposeAccountDialog({ item, onClose }: ProposeItemProps) {
  const { t } = useLingui()
  const [action, setAction] = useState<'adopt' | 'keep'>('keep')
  const [clientEmail, setEmail] = useState('')
  const isLinked = action === 'adopt'
  return (
    <ProposeDialog
      item={item}
      onClose={onClose}
      subject={`${item.platform} ${groupedByFour(item.accountNumber)}`}
      action={action}
      values={isLinked ? { clientEmail: clientEmail.trim() } : {}}
      fields={['action', 'clientEmail']}
    >
      {(errors) => (
        <>
          <ActionSelect
            value={action}
            errors={errors}
            onValue={setAction}
            options={{ keep: t`Keep disabled`, adopt: t`Link to a client` }}
          />
          {isLinked && (
            <TextField
              label={t`Client’s email address`}
              hint={t`First compare the name and email address on the platform with the client’s record.`}
              type="email"
              error={errors['clientEmail']}
              value={clientEmail}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </>
      )}
    </ProposeDialog>
  )
}
