import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { inviteStaff, listStaff, listStaffChanges } from '#contract/office/staff.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { Language } from '#rules/choices.ts'
import { useVerb } from '#ui/endpoint-query.ts'
import { fieldErrors } from '#ui/failure.ts'
import { tell } from '#ui/passing-notices.tsx'
import { RadioTiles } from '#ui/radio-tiles.tsx'
import { TextField } from '#ui/text-field.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { RolesField } from './roles-field.tsx'

/** A mail with a link for password and second factor; an administrator's role waits for a second administrator. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<StaffRole[]>([])
  const [language, setLanguage] = useState<Language>('en')
  const verb = useVerb(inviteStaff, {
    refreshes: [listStaff, listStaffChanges],
    onDone: () => {
      tell(t`The invitation is on its way to ${email}.`)
      onClose()
    },
  })
  const errors = fieldErrors(verb.error)
  return (
    <ReasonDialog
      title={<Trans>Invite somebody</Trans>}
      command={<Trans>Send invitation</Trans>}
      pending={verb.isPending}
      failure={verb.error}
      onClose={onClose}
      onConfirm={(reason) => verb.mutate({ name, email, roles, language, reason })}
    >
      <TextField
        label={t`Name`}
        autoComplete="off"
        value={name}
        error={errors['name']}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t`E-mail`}
        type="email"
        autoComplete="off"
        value={email}
        error={errors['email']}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RolesField roles={roles} onRoles={setRoles} error={errors['roles']} />
      <RadioTiles
        label={t`Language`}
        across={2}
        value={language}
        onValue={setLanguage}
        tiles={[
          { value: 'en', label: t`English` },
          { value: 'de', label: t`German` },
        ]}
      />
    </ReasonDialog>
  )
}
