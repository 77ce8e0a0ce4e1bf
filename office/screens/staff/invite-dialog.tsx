import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { inviteStaff, listStaff, listStaffChanges } from '#contract/office/staff.ts'
import type { StaffRole } from '#rules/actors.ts'
import { languages, type Language } from '#rules/choices.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { languageName } from '#ui/i18n/language.ts'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { RolesField } from './roles-field.tsx'

/** Proposes an invitation: once a second administrator approves it, the person receives a link by email. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<StaffRole[]>([])
  const [language, setLanguage] = useState<Language>('en')
  return (
    <ActionDialog
      endpoint={inviteStaff}
      input={(reason) => ({ name, email, roles, language, reason })}
      refreshes={[listStaff, listStaffChanges]}
      done={t`A second administrator must approve the invitation before it is sent.`}
      fields={['name', 'email', 'roles']}
      title={<Trans>Propose invitation</Trans>}
      command={<Trans>Propose</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            label={t`Name`}
            autoComplete="off"
            value={name}
            error={errors['name']}
            onChange={(event) => setName(event.target.value)}
          />
          <TextField
            label={t`Email`}
            type="email"
            autoComplete="off"
            value={email}
            error={errors['email']}
            onChange={(event) => setEmail(event.target.value)}
          />
          <RolesField roles={roles} onRoles={setRoles} error={errors['roles']} />
          <RadioCards
            label={t`Language`}
            across={2}
            value={language}
            onValue={setLanguage}
            tiles={languages.map((one) => ({ value: one, label: languageName(one, i18n.locale) }))}
          />
          <p className="muted">{t`A second administrator must approve the invitation before it is sent.`}</p>
        </>
      )}
    </ActionDialog>
  )
}
