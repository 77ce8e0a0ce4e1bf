import { Trans, useLingui } from '@lingui/react/macro'
import type { ComponentType } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { setLanguage } from '#contract/users-session.ts'
import { type RegistrationStep, registrationSteps, acceptingSteps } from '#rules/registration.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { Button } from '#ui/forms/button.tsx'
import { failedRead, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { WizardRail } from '#ui/layout/wizard.tsx'
import { logOut } from '../../layout/logout.ts'
import { PanelButtons } from '../../layout/panel-buttons.tsx'
import { LanguageSwitcher } from '#ui/i18n/language-switcher.tsx'
import { useCountriesQuery, usePortalSettingsQuery } from '../../portal-settings.ts'
import { useClient } from '../../session.ts'
import { AccountTypeStep, BaseCurrencyStep, PlatformStep } from './account-steps.tsx'
import { BirthDateStep, ContactStep, NationalityStep } from './person-steps.tsx'
import { CreateAccountStep } from './create-account-step.tsx'
import { EmploymentStep, ExperienceStep, FinancialStep } from './background-steps.tsx'
import {
  RegistrationContext,
  type RegistrationStatus,
  useRegistrationStatus,
  useRegistration,
  useStepValues,
} from './registration-state.ts'
import { SecurityQuestionStep } from './security-question-step.tsx'
import { useStepNames } from './step-names.ts'
import { VerifyEmailStep } from './verify-email-step.tsx'
import { fieldsOfStep, pick, textsOf } from '#rules/profile-fields.ts'
import { noErrors } from '#ui/forms/form-state.ts'
import { AddressFields, useAddressErrors } from '../profile/address-fields.tsx'
import { StepForm } from './step-form.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { Paragraphs } from '../../layout/legal-dialog.tsx'
import './register.css'

const views: Record<RegistrationStep, ComponentType> = {
  '1.1': CreateAccountStep,
  '1.2': SecurityQuestionStep,
  '1.3': VerifyEmailStep,
  '2.1': ContactStep,
  '2.2': BirthDateStep,
  '2.3': AddressStep,
  '2.4': NationalityStep,
  '2.5': EmploymentStep,
  '2.6': FinancialStep,
  '3.1': ExperienceStep,
  '4.1': BaseCurrencyStep,
  '4.2': PlatformStep,
  '4.3': AccountTypeStep,
  '5.1': LegalStep,
  '5.2': LegalStep,
  '5.3': LegalStep,
}

/** Five steps with sixteen substeps, continued where they were left, on any device. */
export default function Register() {
  const { t } = useLingui()
  const client = useClient()
  const settingsRead = usePortalSettingsQuery()
  const countriesRead = useCountriesQuery()
  const settings = settingsRead.data
  const countries = countriesRead.data?.countries
  const { asked, status, due, step, goTo, saved } = useRegistrationStatus(client)
  // Emails have the language in which the person registers.
  const saveLanguage = useEndpointMutation(setLanguage)
  useWindowTitle(t`Open an account`)
  const View = views[step]
  const failed = failedRead({ ...asked, data: status ?? undefined }, settingsRead, countriesRead)
  const waiting = !settings || !countries || (client !== null && !status)
  return (
    <div className="registration">
      <RegistrationHeader status={status} due={due} signedIn={client !== null} />
      <Rail step={step} due={due} waiting={client !== null && !status} />
      <main className="registration-main" id="content">
        {failed ? (
          <div className="sheet">
            <ErrorPanel level="h1" failure={failed.failure} onRetry={failed.again} />
          </div>
        ) : waiting ? (
          <p className="row muted" role="status">
            <Spinner />
            <Trans>Opening your registration</Trans>
          </p>
        ) : (
          <RegistrationContext
            value={{
              step,
              settings,
              countries,
              status,
              answersOf: (name) => status?.answers[name] ?? {},
              saved,
              goTo,
            }}
          >
            <View key={step} />
          </RegistrationContext>
        )}
      </main>
      <footer className="registration-languages">
        <LanguageSwitcher onChosen={(language) => client && saveLanguage.mutate({ language })} />
        <span className="row">
          <PanelButtons />
        </span>
      </footer>
    </div>
  )
}

interface RegistrationHeaderProps {
  status: RegistrationStatus | null
  due: RegistrationStep
  signedIn: boolean
}

/** Explains the consequences of leaving: before the confirmation email is sent the answers cannot be recovered. */
function RegistrationHeader({ status, due, signedIn }: RegistrationHeaderProps) {
  const { t } = useLingui()
  const isKept = status !== null && (status.emailConfirmed || due === '1.3')
  return (
    <header className="registration-header">
      <Logo />
      <span className="grow" />
      {signedIn ? (
        <>
          <span className="size-13 muted registration-saved">
            {status &&
              (status.emailConfirmed
                ? t`Your answers are saved. You can continue later on any device.`
                : isKept
                  ? t`The link in our email brings you back here.`
                  : t`After the security question, we will email you a link that brings you back here.`)}
          </span>
          <Button
            kind="quiet"
            size="small"
            onClick={() => logOut(!isKept ? 'logout' : status.emailConfirmed ? 'paused' : 'unconfirmed')}
          >
            {isKept ? <Trans>Save and leave</Trans> : <Trans>Leave</Trans>}
          </Button>
        </>
      ) : (
        <span className="size-14 muted">
          <Trans>
            Already a client? <Link href={portalPaths.login}>Log in</Link>
          </Trans>
        </span>
      )}
    </header>
  )
}

/** Shown to a returning person once their progress is known. */
function Rail({ step, due, waiting }: { step: RegistrationStep; due: RegistrationStep; waiting: boolean }) {
  const { t } = useLingui()
  const names = useStepNames()
  const at = registrationSteps.indexOf(step)
  const dueAt = registrationSteps.indexOf(due)
  const stateOf = (name: RegistrationStep) => {
    const place = registrationSteps.indexOf(name)
    if (place === at) return 'current' as const
    return place < dueAt ? ('done' as const) : ('ahead' as const)
  }
  const steps = names.steps.map((title, index) => {
    const own = registrationSteps.filter((name) => Number(name[0]) === index + 1)
    const states = own.map(stateOf)
    const state = states.includes('current')
      ? ('current' as const)
      : states.every((one) => one === 'done')
        ? ('done' as const)
        : ('ahead' as const)
    return { title, state, parts: own.map((name) => ({ title: names.partTitle(name), state: stateOf(name) })) }
  })
  return (
    <div className="registration-rail" data-waiting={waiting ? '' : undefined}>
      <WizardRail label={t`Steps of the registration`} steps={steps} />
    </div>
  )
}

/** 2.3 */
function AddressStep() {
  const { answersOf, countries } = useRegistration()
  const faultsOf = useAddressErrors(countries)
  const form = useStepValues(
    textsOf(fieldsOfStep('2.3'), { ...pick(answersOf('1.1'), ['country']), ...answersOf('2.3') }),
  )
  return (
    <StepForm
      title={<Trans>Where do you live?</Trans>}
      lead={
        <Trans>
          Your home address, not a company address or PO box. It must match the proof of address you upload later.
        </Trans>
      }
      form={form}
      faults={() => faultsOf(form.values)}
      why={
        <Trans>
          Brokers are legally required to know who their clients are and where they live. Your address determines which
          rules protect you.
        </Trans>
      }
    >
      <AddressFields form={form} countries={countries} />
    </StepForm>
  )
}

/** 5.1 to 5.3: the full text, its version, and the tick below it. */
function LegalStep() {
  const { t } = useLingui()
  const { step, settings, answersOf } = useRegistration()
  const key = acceptingSteps[step as keyof typeof acceptingSteps]
  const text = settings.legalTexts[key]
  const version = text?.version ?? 1
  const before = answersOf(step)
  // The ticked version: a newer text must be read and ticked again.
  const form = useStepValues({ accepted: before['accepted'] === true ? Number(before['version']) : 0 })
  const accepted = form.values.accepted === version
  return (
    <StepForm
      title={text?.title ?? ''}
      lead={<Trans>Version {version}. Read it to the end, then tick the box to accept it.</Trans>}
      form={form}
      check={() => (accepted ? noErrors : { accepted: t`Tick this box to continue.` })}
      answers={() => ({ accepted, version })}
      next={step === '5.3' ? <Trans>COMPLETE REGISTRATION</Trans> : undefined}
      why={<Trans>Understand the risks before you deposit. We record the version you accept and when.</Trans>}
      whoSees={<Trans>You and the staff who support you.</Trans>}
    >
      <div className="sheet legal-text" tabIndex={0} role="region" aria-label={text?.title}>
        <Paragraphs text={text?.text ?? ''} />
      </div>
      <Checkbox
        look="tile"
        checked={accepted}
        error={form.errors['accepted']}
        onChange={(event) => form.set({ accepted: event.target.checked ? version : 0 })}
      >
        <Trans>I have read and accept this text.</Trans>
      </Checkbox>
    </StepForm>
  )
}
