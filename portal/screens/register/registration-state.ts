/** The state of a registration: the server's step, and the data that this browser stores in addition. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useEffect, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { checkUserRegister } from '#contract/registration.ts'
import { resendSeconds } from '#rules/constants.ts'
import { stepMarkOf, nextStep, type RegistrationStep, registrationSteps, stepOf } from '#rules/registration.ts'
import { useSteps } from '#ui/navigation/browser-back.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { useFormValues } from '#ui/forms/form-state.ts'
import { readDraft, storeDraft } from '../../draft.ts'
import { type Country, type PortalSettings } from '../../portal-settings.ts'
import { type Client, progressKeys, session, useClient } from '../../session.ts'
import { useCompletedElsewhere } from './registered-elsewhere.ts'

export type RegistrationStatus = ResponseOf<typeof checkUserRegister>['data']
export type Answers = Readonly<Record<string, string | number | boolean>>

/** The context of every step. */
interface RegistrationPlace {
  step: RegistrationStep
  settings: PortalSettings
  countries: readonly Country[]
  /** Null before 1.1 is saved. */
  status: RegistrationStatus | null
  answersOf: (step: RegistrationStep) => Answers
  /** Called after a step is saved, with the server's response. */
  saved: (data: { completed?: boolean | undefined; token?: string | undefined }, answers: Answers) => void
  goTo: (step: RegistrationStep) => void
}

export const RegistrationContext = createContext<RegistrationPlace | null>(null)

export function useRegistration(): RegistrationPlace {
  const place = useContext(RegistrationContext)
  if (!place) throw new Error('a registration step must be rendered inside the registration')
  return place
}

/**
 * Returns the values and errors of the current step's form. Unsent entries survive a reload in this tab, without
 * `secrets` (requirements 2.19); a visitor's only while the page is open, because they have no owner.
 */
export function useStepValues<Values extends Answers>(initial: Values, secrets: readonly (keyof Values)[] = []) {
  const { step } = useRegistration()
  const owner = useClient()?.id ?? ''
  const [{ name, saved, left, isOwned }] = useState({
    name: `portal.registration.${owner}.${step}`,
    saved: initial,
    left: secrets,
    isOwned: owner !== '',
  })
  const form = useFormValues(useState(() => readDraft(name, saved))[0])
  const { values } = form
  useEffect(() => storeDraft(name, saved, values, left), [name, saved, values, left])
  const deleteDraft = useCallback(() => sessionStorage.removeItem(name), [name])
  useEffect(() => (isOwned ? undefined : deleteDraft), [isOwned, deleteDraft])
  return { ...form, deleteDraft }
}

/** While the email is awaited, the address may be confirmed elsewhere (requirements 3.19). */
const confirmationPollMs = 4_000

/** Returns the status, polled while the confirmation is awaited; the step that is shown, and functions to change it. */
export function useRegistrationStatus(client: Client | null) {
  const queries = useQueryClient()
  const [shown, setShown] = useState<RegistrationStep | null>(rememberedStep)
  const known = queries.getQueryData<ResponseOf<typeof checkUserRegister>>(statusKey)?.data ?? null
  const awaiting = known !== null && !known.emailConfirmed && dueStepOf(known) === '1.3'
  const asked = useEndpoint(
    checkUserRegister,
    {},
    { enabled: client !== null, ...(awaiting ? { pollMs: confirmationPollMs } : {}) },
  )
  const status = client === null ? null : (asked.data?.data ?? null)
  const token = status?.token
  useEffect(() => {
    if (token) session.keep(token)
  }, [token])
  const finishHere = useCompletedElsewhere(client, status?.completed ?? false)
  const due: RegistrationStep = status ? dueStepOf(status) : '1.1'
  const step = shown !== null && canShowStep(shown, due, status) ? shown : due
  const steps = useSteps(step, (next: RegistrationStep) => {
    localStorage.setItem(progressKeys.registration, next)
    setShown(next)
    scrollTo(0, 0)
  })
  const goTo = (next: RegistrationStep) => (laterStep(next, step) === step ? steps.back(next) : steps.next(next))
  const saved: RegistrationPlace['saved'] = (data, answers) => {
    if (data.completed) finishHere()
    if (data.token) session.keep(data.token)
    if (data.completed) {
      localStorage.removeItem(progressKeys.registration)
      return
    }
    storeStatus(queries, step, answers)
    goTo(nextStep(step) ?? step)
  }
  return { asked, status, due, step, goTo, saved }
}

const statusKey = [checkUserRegister.name, {}] as const

function dueStepOf(status: RegistrationStatus): RegistrationStep {
  return stepOf(status) ?? '1.1'
}

function laterStep(one: RegistrationStep, other: RegistrationStep): RegistrationStep {
  return registrationSteps.indexOf(one) > registrationSteps.indexOf(other) ? one : other
}

function rememberedStep(): RegistrationStep | null {
  const stored = localStorage.getItem(progressKeys.registration)
  return registrationSteps.find((step) => step === stored) ?? null
}

/**
 * Returns whether a step may be shown: none after the due one, and none before the confirmed address, whose answers are
 * changed in the profile.
 */
function canShowStep(step: RegistrationStep, due: RegistrationStep, status: RegistrationStatus | null): boolean {
  if (registrationSteps.indexOf(step) > registrationSteps.indexOf(due)) return false
  return !status?.emailConfirmed || step === due || (step !== '1.1' && step !== '1.2')
}

/** Writes a saved step into the status, so that the next step needs no request. */
function storeStatus(queries: QueryClient, step: RegistrationStep, answers: Answers): void {
  queries.setQueryData<ResponseOf<typeof checkUserRegister>>(statusKey, (before) => ({
    data: {
      // Saving a step again keeps those after it.
      ...stepMarkOf(laterStep(nextStep(step) ?? step, before ? dueStepOf(before.data) : '1.1')),
      email: String(answers['email'] ?? before?.data.email ?? ''),
      emailConfirmed: before?.data.emailConfirmed ?? false,
      completed: false,
      // 1.2 sends the email.
      resendInSeconds: step === '1.2' ? resendSeconds : (before?.data.resendInSeconds ?? 0),
      answers: { ...before?.data.answers, [step]: { ...answers } },
    },
  }))
  // The server knows how long the wait still is.
  if (step === '1.2') void queries.invalidateQueries({ queryKey: statusKey })
}
