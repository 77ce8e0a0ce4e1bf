import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { editUser, profile, type ProfileData } from '#contract/profile.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import { currentUser } from '#contract/users-session.ts'
import { birthYearsBack } from '#rules/constants.ts'
import type { ChangedField } from '#rules/profile-changes.ts'
import {
  addressLines,
  birthParts,
  type DecidedField,
  formFieldNames,
  nameFields,
  textsOf,
} from '#rules/profile-fields.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { useChoiceLabel } from '#ui/text/choice-labels.ts'
import { DatePartsField } from '#ui/forms/date-parts-field.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { useFirm } from '#ui/layout/firm.ts'
import { mergeEdits, noErrors, useFormValues } from '#ui/forms/form-state.ts'
import { EmailText, EmailLink } from '#ui/text/email-link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { PhoneField } from '#ui/forms/phone-field.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { dateFormat, listFormat } from '#ui/text/formats.ts'
import { type Country, countryName } from '../../portal-settings.ts'
import { AddressFields, CountryBox, useAddressErrors } from './address-fields.tsx'
import { useBirthDateError } from './birth-date-errors.ts'
import { NameFields } from './name-fields.tsx'
import { EditSection, ReadSection } from './section.tsx'

const twoDigits = (value: number) => String(value).padStart(2, '0')

interface PersonalSectionProps {
  data: ProfileData
  countries: readonly Country[]
}

/** Name, birth date, contact and address. Changes of verified identity data wait for compliance. */
export function PersonalSection({ data, countries }: PersonalSectionProps) {
  const { t } = useLingui()
  const [editing, setEditing] = useState(false)
  const label = useLabels(profileLabels)
  const word = useChoiceLabel()
  const dayText = useDayText()
  const { user } = data
  if (editing) return <PersonalForm data={data} countries={countries} onClose={() => setEditing(false)} />
  const birth =
    user.birthYear === null
      ? '–'
      : dayText(`${user.birthYear}-${twoDigits(user.birthMonth ?? 1)}-${twoDigits(user.birthDay ?? 1)}`)
  const names = nameFields.map((name) => (name === 'title' ? word(user.title) : user[name]))
  return (
    <ReadSection
      onEdit={() => setEditing(true)}
      rows={[
        { key: t`Name`, value: names.filter(Boolean).join(' ') },
        { key: label('email'), value: <EmailText address={user.email} /> },
        { key: label('birthDate'), value: birth },
        { key: label('mobilePhone'), value: <span className="numbers">{user.mobilePhone ?? '–'}</span> },
        { key: t`Address`, value: <AddressLines user={user} countries={countries} /> },
        { key: label('nationality'), value: user.nationality ? countryName(countries, user.nationality) : '–' },
      ]}
    >
      <Pending data={data} countries={countries} />
    </ReadSection>
  )
}

/** Returns "14 March 1986" for "1986-03-14". */
function useDayText(): (day: string) => string {
  const { i18n } = useLingui()
  const format = dateFormat(i18n.locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (day) => format.format(new Date(`${day}T00:00:00Z`))
}

function AddressLines({ user, countries }: { user: ProfileData['user']; countries: readonly Country[] }) {
  return (
    <>
      {[...addressLines(user), countryName(countries, user.country)].map((line) => (
        <span key={line} className="address-line">
          {line}
          <br />
        </span>
      ))}
    </>
  )
}

/** Changes that are pending with compliance. */
function Pending({ data, countries }: PersonalSectionProps) {
  const label = useLabels(profileLabels)
  const dayText = useDayText()
  if (data.pending.length === 0) return null
  const shown = (field: ChangedField, to: string) => {
    if (field === 'email') return <EmailText address={to} />
    if (field === 'birthDate') return dayText(to)
    return field === 'country' || field === 'nationality' ? countryName(countries, to) : to
  }
  return (
    <Alert kind="wait" title={<Trans>Awaiting our review</Trans>}>
      <ul>
        {data.pending.map(({ field, to }) => (
          <li key={field}>
            {label(field)} → <b className="strong">{shown(field, to)}</b>
          </li>
        ))}
      </ul>
      {data.pending.some(({ field }) => field === 'email') && <NewAddress />}
    </Alert>
  )
}

function NewAddress() {
  const supportEmail = useFirm()?.supportEmail ?? ''
  return (
    <p>
      <Trans>
        The new address becomes active after you open the link in our email. If you did not request this, email{' '}
        <EmailLink address={supportEmail} />.
      </Trans>
    </p>
  )
}

function PersonalForm({ data, countries, onClose }: PersonalSectionProps & { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { user } = data
  const supportEmail = useFirm()?.supportEmail ?? ''
  const label = useLabels(profileLabels)
  const addressFaults = useAddressErrors(countries)
  const birthDateFault = useBirthDateError()
  const kept = { ...textsOf(formFieldNames, user), title: user.title }
  const form = useFormValues(kept)
  const [opened] = useState(kept)
  const { values, errors } = form
  // Another tab or device may have changed the profile since the form was opened.
  const sent = mergeEdits(opened, values, kept)
  const isChanged = (field: DecidedField) =>
    (field === 'birthDate' ? birthParts : [field]).some((name) => sent[name] !== kept[name])
  const save = useEndpointMutation(editUser, {
    refreshes: [profile, currentUser],
    onDone: ({ pending }) => {
      // Changes pending since an earlier save are not announced again.
      const asked = pending.filter(isChanged)
      const waiting = listFormat(i18n.locale).format(asked.map((field) => label(field)))
      showToast(() => (asked.length > 0 ? t`Saved. We will review this change first: ${waiting}.` : t`Saved.`))
      onClose()
    },
    // The server's errors and those found here are shown together.
    onFailure: (failure) => void form.sayErrors(() => ({ ...failure.errors, ...faults() })),
  })
  const { birthDay, birthMonth, birthYear } = values
  const born = { day: birthDay, month: birthMonth, year: birthYear }
  const faults = () => {
    const wrongDate = birthDateFault(born)
    const { country } = addressFaults(values)
    const moves = values.country !== kept.country
    return {
      ...(wrongDate === null ? noErrors : { birthDay: wrongDate }),
      // An unchanged address is not checked again.
      ...(moves && country ? { country } : noErrors),
    }
  }
  const send = () =>
    save.mutate({
      ...sent,
      birthDay: Number(sent.birthDay),
      birthMonth: Number(sent.birthMonth),
      birthYear: Number(sent.birthYear),
    })
  const thisYear = new Date().getFullYear()
  return (
    <EditSection formRef={form.ref} onSave={send} onCancel={onClose} pending={save.isPending} error={save.error}>
      <Pending data={data} countries={countries} />
      <NameFields form={form} />
      <TextField
        label={label('email')}
        hint={
          <Trans>
            You log in with this address. To change it, email <EmailText address={supportEmail} />.
          </Trans>
        }
        value={user.email}
        readOnly
      />
      <DatePartsField
        label={label('birthDate')}
        kind="birth"
        years={[thisYear, thisYear - birthYearsBack]}
        value={born}
        error={errors['birthDay'] ?? errors['birthMonth'] ?? errors['birthYear']}
        onValue={({ day, month, year }) => form.set({ birthDay: day, birthMonth: month, birthYear: year })}
      />
      <PhoneField
        label={label('mobilePhone')}
        countries={countries}
        country={values.country}
        value={values.mobilePhone}
        error={errors['mobilePhone']}
        onValue={(mobilePhone) => form.set({ mobilePhone })}
      />
      {values.mobilePhone !== (user.mobilePhone ?? '') && <StepUpHint />}
      <AddressFields form={form} countries={countries} />
      <CountryBox
        label={label('nationality')}
        countries={countries}
        value={values.nationality}
        error={errors['nationality']}
        onValue={(nationality) => form.set({ nationality })}
      />
    </EditSection>
  )
}
