import { Trans } from '@lingui/react/macro'
import { profileLabels } from '#contract/profile-labels.ts'
import { birthYearsBack } from '#rules/constants.ts'
import { birthParts, fieldsOfStep, textsOf } from '#rules/profile-fields.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { DatePartsField } from '#ui/forms/date-parts-field.tsx'
import { noErrors } from '#ui/forms/form-state.ts'
import { PhoneField } from '#ui/forms/phone-field.tsx'
import { CountryBox } from '../profile/address-fields.tsx'
import { useBirthDateError } from '../profile/birth-date-errors.ts'
import { useRegistration, useStepValues } from './registration-state.ts'
import { StepForm } from './step-form.tsx'

/** 2.1 */
export function ContactStep() {
  const label = useLabels(profileLabels)
  const { answersOf, countries } = useRegistration()
  const form = useStepValues(textsOf(fieldsOfStep('2.1'), answersOf('2.1')))
  return (
    <StepForm
      title={<Trans>What is your phone number?</Trans>}
      lead={<Trans>Your mobile number. We only call about urgent matters.</Trans>}
      form={form}
      why={<Trans>We contact you before we process an unusual payment. A call is quicker than an email.</Trans>}
    >
      <PhoneField
        label={label('mobilePhone')}
        countries={countries}
        country={String(answersOf('1.1')['country'] ?? '')}
        value={form.values.mobilePhone}
        error={form.errors['mobilePhone']}
        onValue={(mobilePhone) => form.set({ mobilePhone })}
        name="mobilePhone"
      />
    </StepForm>
  )
}

/** 2.2 */
export function BirthDateStep() {
  const label = useLabels(profileLabels)
  const { answersOf } = useRegistration()
  const form = useStepValues(textsOf(birthParts, answersOf('2.2')))
  const { birthDay, birthMonth, birthYear } = form.values
  const written = { day: birthDay, month: birthMonth, year: birthYear }
  const faultOf = useBirthDateError()
  // The server checks a complete date, because its clock is correct.
  const check = () => (birthDay && birthMonth && birthYear ? noErrors : { birthDay: faultOf(written) ?? '' })
  const thisYear = new Date().getFullYear()
  return (
    <StepForm
      title={<Trans>What is your date of birth?</Trans>}
      lead={<Trans>You must be 18 or older to trade.</Trans>}
      form={form}
      check={check}
      answers={() => ({ birthDay: Number(birthDay), birthMonth: Number(birthMonth), birthYear: Number(birthYear) })}
      why={<Trans>You must be an adult to trade. Enter the date of birth shown on your documents.</Trans>}
    >
      <DatePartsField
        label={label('birthDate')}
        kind="birth"
        years={[thisYear, thisYear - birthYearsBack]}
        value={written}
        error={form.errors['birthDay'] ?? form.errors['birthMonth'] ?? form.errors['birthYear']}
        onValue={({ day, month, year }) => form.set({ birthDay: day, birthMonth: month, birthYear: year })}
      />
    </StepForm>
  )
}

/** 2.4 */
export function NationalityStep() {
  const label = useLabels(profileLabels)
  const { answersOf, countries } = useRegistration()
  const form = useStepValues(textsOf(fieldsOfStep('2.4'), answersOf('2.4')))
  return (
    <StepForm
      title={<Trans>What is your nationality?</Trans>}
      lead={<Trans>If you have more than one, choose the one on the document you will upload.</Trans>}
      form={form}
      why={
        <Trans>Brokers are legally required to know this. It does not affect whether you can open an account.</Trans>
      }
    >
      <CountryBox
        label={label('nationality')}
        countries={countries}
        value={form.values.nationality}
        error={form.errors['nationality']}
        onValue={(nationality) => form.set({ nationality })}
      />
    </StepForm>
  )
}
