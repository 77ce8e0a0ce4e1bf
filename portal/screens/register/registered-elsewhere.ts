/**
 * A registration that was continued in another window or on another device: its progress is read before anything is
 * shown.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { checkUserRegister } from '#contract/registration.ts'
import { currentUser } from '#contract/users-session.ts'
import { call } from '#ui/api/call.ts'
import { refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { type Client, clientOf, session } from '../../session.ts'

/** The step sent is not the step due. */
const otherStepCodes: readonly string[] = ['step-skipped', 'step-closed', 'email-not-confirmed']

/**
 * Returns a function for rejected steps: opens the step that is due or, if the registration is complete, the page after
 * it.
 */
export function useOpenDueStep(): (thrown: unknown) => Promise<void> {
  const queries = useQueryClient()
  return async (thrown) => {
    if (!(thrown instanceof ApiError)) return
    if (otherStepCodes.includes(thrown.code)) {
      await refreshEndpoints(queries, [checkUserRegister])
      showToast(() => thrown.error)
    }
    if (thrown.code === 'registration-over') await refreshToken()
  }
}

/**
 * Announces the completion of the registration as soon as any page, poll or tab receives a token with it. The guard
 * redirects. Returns a function to call before this page stores the token of its own last step.
 */
export function useCompletedElsewhere(client: Client | null, completed: boolean): () => void {
  const { t } = useLingui()
  const email = client?.email
  const finishesHere = useRef(false)
  useEffect(
    () =>
      session.subscribe(() => {
        const now = clientOf(session.token(), new Date())
        if (now?.email === email && now?.continueRegistration === false && !finishesHere.current)
          showToast(() => t`You completed your registration in another window or on another device.`)
      }),
    [email, t],
  )
  useEffect(() => {
    if (completed) void refreshToken()
  }, [completed])
  return () => {
    finishesHere.current = true
  }
}

/**
 * Requests a new token, with which the guard redirects. Without a response nothing changes, and NEXT repeats the
 * request.
 */
async function refreshToken(): Promise<void> {
  try {
    await call(currentUser, {})
  } catch (unanswered) {
    if (!(unanswered instanceof ApiError)) throw unanswered
  }
}
