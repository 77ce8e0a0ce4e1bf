import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { profileLabels } from '#contract/profile-labels.ts'
import { fieldsOfStep, textsOf } from '#rules/profile-fields.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { PasswordStrength } from '#ui/auth/password-strength.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { EmailField } from '#ui/forms/text-field.tsx'
import { isCountryServed } from '../../portal-settings.ts'
import { CountryBox } from '../profile/address-fields.tsx'
import { NameFields } from '../profile/name-fields.tsx'
import { usePasswordError } from '../profile/new-password-errors.ts'
import { consentAnswers, ConsentFields, consentsOf } from './consents.tsx'
import { useRegistration, useStepValues } from './registration-state.ts'
import { StepForm } from './step-form.tsx'

/** 1.1: the country first, so that an unavailable one is reported before anything else is entered. */
export function CreateAccountStep() {
  const { t } = useLingui()
  const label = useLabels(profileLabels)
  const { answersOf, countries, settings } = useRegistration()
  const before = answersOf('1.1')
  const form = useStepValues(
    {
      ...textsOf(fieldsOfStep('1.1'), before),
      email: String(before['email'] ?? ''),
      password: '',
      ...consentsOf(before),
    },
    ['password'],
  )
  const { values } = form
  const country = countries.find(({ code }) => code === values.country)
  const unavailable = country !== undefined && !isCountryServed(country)
  const shortest = settings.limits.passwordMin
  const passwordFault = usePasswordError(shortest)
  const [wasEntered] = useState(values.email !== '')
  const answers = async () => ({
    ...values,
    // An empty password stays empty, so that the server reports it as missing.
    password: values.password && (await encryptPassword(values.password)),
    ...consentAnswers(values, settings),
  })
  return (
    <StepForm
      title={<Trans>Create your account</Trans>}
      lead={<Trans>It takes about 10 minutes. Have your passport or identity card ready for the last step.</Trans>}
      form={form}
      faults={() => passwordFault(values.password)}
      answers={answers}
      kept={(given) => Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'password'))}
      disabledReason={unavailable ? t`To continue, choose a country that we serve.` : undefined}
      why={
        <Trans>
          Your country determines which rules protect you and whether we can offer you our services. Enter your name as
          shown on your documents.
        </Trans>
      }
    >
      <CountryBox
        label={label('country')}
        countries={countries}
        value={values.country}
        error={form.errors['country']}
        onValue={(code) => form.set({ country: code })}
      />
      {unavailable ? (
        <Alert kind="wait" title={<Trans>We cannot open an account for you</Trans>}>
          <Trans>We cannot offer our services to residents of this country: {country.name}.</Trans>
        </Alert>
      ) : (
        <>
          <NameFields form={form} />
          <EmailField {...form.text('email')} label={label('email')} autoComplete="email" />
          <div>
            <PasswordField
              {...form.text('password')}
              label={t`Password`}
              hint={
                wasEntered
                  ? t`Enter it again. It is not saved in this browser.`
                  : t`At least ${shortest} characters. A few random words are easy to remember and hard to guess.`
              }
              autoComplete="new-password"
            />
            <PasswordStrength password={values.password} shortest={shortest} />
          </div>
          <ConsentFields values={values} errors={form.errors} onTick={form.set} />
        </>
      )}
    </StepForm>
  )
}
