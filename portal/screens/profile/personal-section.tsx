import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { editUser, profile } from '#contract/profile.ts'
import { currentUser } from '#contract/users-session.ts'
import { titles } from '#rules/choices.ts'
import { birthYearsBack } from '#rules/constants.ts'
import { validDay } from '#rules/dates.ts'
import type { ChangedField, DecidedField } from '#rules/profile-changes.ts'
import { useChoiceOptions, useChoiceWord } from '#ui/choice-words.ts'
import { DateFields } from '#ui/date-fields.tsx'
import { useVerb } from '#ui/endpoint-query.ts'
import { useFirm } from '#ui/firm.ts'
import { noErrors, useFormValues } from '#ui/form-values.ts'
import { Notice } from '#ui/notice.tsx'
import { tell } from '#ui/passing-notices.tsx'
import { PhoneField } from '#ui/phone-field.tsx'
import { ProofHint } from '#ui/proof-hint.tsx'
import { RadioTiles } from '#ui/radio-tiles.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type Country, countryName } from '../../portal-settings.ts'
import { AddressFields, CountryBox, usePostcodeCheck } from './address-fields.tsx'
import type { ProfileData } from './profile.tsx'
import { EditSection, ReadSection } from './section.tsx'

const two = (value: number) => String(value).padStart(2, '0')

interface PersonalSectionProps {
  data: ProfileData
  countries: readonly Country[]
}

/** Name, birth date, contact and address. What identity was approved by waits for compliance when it changes. */
export function PersonalSection({ data, countries }: PersonalSectionProps) {
  const { t } = useLingui()
  const [editing, setEditing] = useState(false)
  const word = useChoiceWord()
  const dayText = useDayText()
  const { user } = data
  if (editing) return <PersonalForm data={data} countries={countries} onClose={() => setEditing(false)} />
  const birth =
    user.birthYear === null ? '–' : dayText(`${user.birthYear}-${two(user.birthMonth ?? 1)}-${two(user.birthDay ?? 1)}`)
  return (
    <ReadSection
      onEdit={() => setEditing(true)}
      rows={[
        { key: t`Name`, value: `${word(user.title)} ${user.name} ${user.surname}` },
        { key: t`Email`, value: <MailAddress address={user.email} /> },
        { key: t`Date of birth`, value: birth },
        { key: t`Mobile phone`, value: user.mobilePhone ?? '–' },
        { key: t`Address`, value: <AddressLines user={user} countries={countries} /> },
        { key: t`Nationality`, value: user.nationality ? countryName(countries, user.nationality) : '–' },
      ]}
    >
      <Pending data={data} countries={countries} />
    </ReadSection>
  )
}

/** "14 March 1986" of "1986-03-14". */
function useDayText(): (day: string) => string {
  const { i18n } = useLingui()
  const format = new Intl.DateTimeFormat(i18n.locale === 'en' ? 'en-GB' : i18n.locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  return (day) => format.format(new Date(`${day}T00:00:00Z`))
}

/** Breaks before the @ where it has to. */
function MailAddress({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}

function AddressLines({ user, countries }: { user: ProfileData['user']; countries: readonly Country[] }) {
  const lines = [
    user.addressNo,
    user.address,
    `${user.postcode ?? ''} ${user.city ?? ''}`.trim(),
    user.county,
    countryName(countries, user.country),
  ]
  return (
    <>
      {lines.filter(Boolean).map((line) => (
        <span key={line} className="address-line">
          {line}
          <br />
        </span>
      ))}
    </>
  )
}

/** Changes that compliance has not decided yet. */
function Pending({ data, countries }: PersonalSectionProps) {
  const names = useFieldNames()
  const dayText = useDayText()
  if (data.pending.length === 0) return null
  const shown = (field: ChangedField, to: string) => {
    if (field === 'birthDate') return dayText(to)
    return field === 'country' || field === 'nationality' ? countryName(countries, to) : to
  }
  return (
    <Notice kind="wait" title={<Trans>Waiting for our check</Trans>}>
      <ul>
        {data.pending.map(({ field, to }) => (
          <li key={field}>
            {names[field]} → <b className="strong">{shown(field, to)}</b>
          </li>
        ))}
      </ul>
      {data.pending.some(({ field }) => field === 'email') && <NewAddress />}
    </Notice>
  )
}

function NewAddress() {
  const supportEmail = useFirm()?.supportEmail ?? ''
  return (
    <p>
      <Trans>
        The new address counts once you open the link that we mail to it. You did not ask for it? Write to{' '}
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
      </Trans>
    </p>
  )
}

function useFieldNames(): Record<ChangedField, string> {
  const { t } = useLingui()
  return {
    name: t`First name`,
    surname: t`Surname`,
    birthDate: t`Date of birth`,
    nationality: t`Nationality`,
    country: t`Country`,
    email: t`Email`,
  }
}

function PersonalForm({ data, countries, onClose }: PersonalSectionProps & { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { user } = data
  const supportEmail = useFirm()?.supportEmail ?? ''
  const options = useChoiceOptions()
  const names = useFieldNames()
  const checkPostcode = usePostcodeCheck(countries)
  const kept = {
    title: user.title,
    name: user.name,
    surname: user.surname,
    birthDay: String(user.birthDay ?? ''),
    birthMonth: String(user.birthMonth ?? ''),
    birthYear: String(user.birthYear ?? ''),
    mobilePhone: user.mobilePhone ?? '',
    addressNo: user.addressNo ?? '',
    address: user.address,
    city: user.city ?? '',
    postcode: user.postcode ?? '',
    county: user.county,
    country: user.country,
    nationality: user.nationality ?? '',
  }
  const form = useFormValues(kept)
  const { values, errors } = form
  const isChanged = (field: DecidedField) =>
    (field === 'birthDate' ? (['birthDay', 'birthMonth', 'birthYear'] as const) : [field]).some(
      (name) => values[name] !== kept[name],
    )
  const save = useVerb(editUser, {
    refreshes: [profile, currentUser],
    onDone: ({ pending }) => {
      // What waits since an earlier save is no news.
      const asked = pending.filter(isChanged)
      const waiting = new Intl.ListFormat(i18n.locale).format(asked.map((field) => names[field]))
      tell(asked.length > 0 ? t`Saved. We check the change first: ${waiting}.` : t`Saved.`)
      onClose()
    },
    // What the server refuses and what is seen to be wrong here are said together.
    onFailure: ({ errors: refused }) => void form.sayErrors({ ...refused, ...faults() }),
  })
  const born = { day: Number(values.birthDay), month: Number(values.birthMonth), year: Number(values.birthYear) }
  const dateFault = () => {
    if (!born.day || !born.month || !born.year) return { birthDay: t`Please, set your birth date.` }
    return validDay(born)
      ? noErrors
      : { birthDay: t`This day does not exist or cannot be right. Check day, month and year.` }
  }
  const faults = () => ({
    ...dateFault(),
    ...(values.country !== kept.country || values.postcode !== kept.postcode
      ? checkPostcode(values.country, values.postcode)
      : noErrors),
  })
  const send = () => save.mutate({ ...values, birthDay: born.day, birthMonth: born.month, birthYear: born.year })
  const thisYear = new Date().getFullYear()
  return (
    <EditSection formRef={form.ref} onSave={send} onCancel={onClose} pending={save.isPending} error={save.error}>
      <Pending data={data} countries={countries} />
      <RadioTiles {...form.choice('title')} label={t`Title`} tiles={options(titles)} across={2} short />
      <div className="columns-2">
        <TextField {...form.text('name')} label={t`First name`} autoComplete="given-name" />
        <TextField {...form.text('surname')} label={t`Surname`} autoComplete="family-name" />
      </div>
      <TextField
        label={t`Email`}
        hint={t`It is your login. To change it, write to ${supportEmail}.`}
        value={user.email}
        readOnly
      />
      <DateFields
        label={t`Date of birth`}
        kind="birth"
        years={[thisYear, thisYear - birthYearsBack]}
        value={{ day: values.birthDay, month: values.birthMonth, year: values.birthYear }}
        error={errors['birthDay'] ?? errors['birthMonth'] ?? errors['birthYear']}
        onValue={({ day, month, year }) => form.set({ birthDay: day, birthMonth: month, birthYear: year })}
      />
      <PhoneField
        label={t`Mobile phone`}
        countries={countries}
        country={values.country}
        value={values.mobilePhone}
        error={errors['mobilePhone']}
        onValue={(mobilePhone) => form.set({ mobilePhone })}
      />
      {values.mobilePhone !== (user.mobilePhone ?? '') && <ProofHint />}
      <AddressFields form={form} countries={countries} />
      <CountryBox
        label={t`Nationality`}
        countries={countries}
        value={values.nationality}
        error={errors['nationality']}
        onValue={(nationality) => form.set({ nationality })}
      />
    </EditSection>
  )
}
