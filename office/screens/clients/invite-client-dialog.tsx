import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { listCountries } from '#contract/countries.ts'
import { inviteClient } from '#contract/office/client-decisions.ts'
import { searchClients } from '#contract/office/clients.ts'
import { officePaths } from '#contract/office-paths.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import { settings } from '#contract/settings.ts'
import { type Language, languages, type Title, titles } from '#rules/choices.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { useChoiceOptions } from '#ui/text/choice-labels.ts'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { languageName } from '#ui/i18n/language.ts'
import { ActionDialog } from '../../records/action-dialog.tsx'

/** Sends the setpassword email; the registration then continues in the portal. */
export function InviteClientDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const label = useLabels(profileLabels)
  const options = useChoiceOptions()
  const [, navigate] = useLocation()
  const { data } = useEndpoint(listCountries, {}, { staleMs: Number.POSITIVE_INFINITY })
  const [person, setPerson] = useState({
    title: 'Mr.' as Title,
    name: '',
    surname: '',
    email: '',
    country: '',
  })
  const spoken = useFirmLanguages()
  const [chosen, setChosen] = useState<Language>('en')
  const language = spoken.includes(chosen) ? chosen : (spoken[0] ?? chosen)
  const tiles = languages.map((value) => ({ value, label: languageName(value, i18n.locale) }))
  const write = (part: Partial<typeof person>) => setPerson((held) => ({ ...held, ...part }))
  return (
    <ActionDialog
      endpoint={inviteClient}
      input={() => ({ ...person, language })}
      refreshes={[searchClients]}
      done={t`We have sent the invitation to ${person.email}.`}
      onDone={({ id }) => navigate(officePaths.client(id))}
      fields={['title', 'name', 'surname', 'email', 'country']}
      title={<Trans>Invite client</Trans>}
      command={<Trans>Invite client</Trans>}
      reason="none"
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{t`The client gets a link to set a password and continue the registration.`}</p>
          <Select
            label={label('title')}
            value={person.title}
            error={errors['title']}
            options={options(titles)}
            onChange={(event) => write({ title: titles.find((one) => one === event.target.value) ?? 'Mr.' })}
          />
          <TextField
            label={label('name')}
            value={person.name}
            error={errors['name']}
            onChange={(event) => write({ name: event.target.value })}
          />
          <TextField
            label={label('surname')}
            value={person.surname}
            error={errors['surname']}
            onChange={(event) => write({ surname: event.target.value })}
          />
          <TextField
            label={label('email')}
            type="email"
            value={person.email}
            error={errors['email']}
            onChange={(event) => write({ email: event.target.value })}
          />
          <ComboBox
            label={label('country')}
            error={errors['country']}
            items={(data?.countries ?? [])
              .filter(({ available }) => available)
              .map(({ code, name }) => ({ id: code, label: name }))}
            value={person.country}
            onValue={(country) => write({ country })}
          />
          {spoken.length > 1 && (
            <RadioCards
              label={t`Language`}
              across={2}
              value={language}
              onValue={setChosen}
              tiles={tiles.filter(({ value }) => spoken.includes(value))}
            />
          )}
        </>
      )}
    </ActionDialog>
  )
}

/** Returns the languages that the firm offers to clients; all of them while loading. */
function useFirmLanguages(): readonly Language[] {
  const { data } = useEndpoint(settings, {})
  return data ? languages.filter((one) => data.firm.languages.includes(one)) : languages
}
