import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getRecovery, getRecoveryItem, listRecoveryItems, proposeRecoveryItem } from '#contract/office/recovery.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

interface Props {
  item: ResponseOf<typeof getRecoveryItem>['item']
  onClose: () => void
}

/** An account that exists only on the platform: assigns it to a client, or keeps it disabled. */
export function ProposeAccountDialog({ item: { id, version, platform, accountNumber }, onClose }: Props) {
  const { t } = useLingui()
  const [action, setAction] = useState<'adopt' | 'keep'>('keep')
  const [clientEmail, setEmail] = useState('')
  const isLinked = action === 'adopt'
  return (
    <ActionDialog
      refreshes={[listRecoveryItems, getRecoveryItem, getRecovery]}
      onClose={onClose}
      endpoint={proposeRecoveryItem}
      fields={['action', 'clientEmail']}
      input={(reason) => ({ id, version, action, ...(isLinked ? { clientEmail: clientEmail.trim() } : {}), reason })}
      done={t`The proposal has been recorded. Another finance supervisor must confirm it.`}
      title={
        <Trans>
          Propose a decision on {platform} {groupedByFour(accountNumber)}
        </Trans>
      }
      command={<Trans>Propose decision</Trans>}
    >
      {(errors) => (
        <>
          <Select
            label={t`Decision`}
            error={errors['action']}
            value={action}
            onChange={(event) => setAction(event.target.value as typeof action)}
            options={[
              { value: 'keep', label: t`Keep disabled` },
              { value: 'adopt', label: t`Link to a client` },
            ]}
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
    </ActionDialog>
  )
}
