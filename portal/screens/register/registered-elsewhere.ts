/** A registration that went on in another window or on another device: what stands there is read before anything is said. */
import { useQueryClient } from '@tanstack/react-query'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { checkUserRegister } from '#contract/registration.ts'
import { currentUser } from '#contract/users-session.ts'
import { call } from '#ui/api/call.ts'
import { refresh } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { type Client, clientOf, session } from '../../session.ts'

/** The step that was sent is not the one that is due. */
const otherStepCodes: readonly string[] = ['step-skipped', 'step-closed', 'email-not-confirmed']

/** After a refusal: leads to the step that is due or, where the registration is complete, to what comes after it. */
export function useCatchUp(): (thrown: unknown) => Promise<void> {
  const queries = useQueryClient()
  return async (thrown) => {
    if (!(thrown instanceof ApiError)) return
    if (otherStepCodes.includes(thrown.code)) {
      await refresh(queries, [checkUserRegister])
      showToast(thrown.error)
    }
    if (thrown.code === 'registration-over') await askToken()
  }
}

/**
 * Says it as soon as a token tells that the registration is complete, anyone who asked for it: this page, the look at its
 * window, another tab. The guard leads on. Answers what this page calls before it keeps the token of its own last step.
 */
export function useFinishedElsewhere(client: Client | null, completed: boolean): () => void {
  const { t } = useLingui()
  const email = client?.email
  const finishesHere = useRef(false)
  useEffect(
    () =>
      session.subscribe(() => {
        const now = clientOf(session.token(), new Date())
        if (now?.email === email && now?.continueRegistration === false && !finishesHere.current)
          showToast(t`You completed your registration in another window or on another device.`)
      }),
    [email, t],
  )
  useEffect(() => {
    if (completed) void askToken()
  }, [completed])
  return () => {
    finishesHere.current = true
  }
}

/** Requests a new token, with which the guard leads on. Without an answer nothing changes, and NEXT asks again. */
async function askToken(): Promise<void> {
  try {
    await call(currentUser, {})
  } catch (unanswered) {
    if (!(unanswered instanceof ApiError)) throw unanswered
  }
}
