/**
 * Step-up authentication: some requests require another confirmation of identity before they move money or change
 * access. The request waits and is then sent again unchanged, transparently for the screen.
 */
import { t } from '@lingui/core/macro'
import { createContext } from 'react'
import type { ResponseOf, BodyInputOf } from '#contract/endpoint.ts'
import type { confirmStepUp, getStepUpStatus } from '#contract/step-up.ts'
import type { StepUpMethod } from '#rules/step-up.ts'
import { ApiError, serverTexts } from '../api/api-error.ts'

/** The pair of endpoints of an app. */
export interface StepUpCalls {
  readonly show: typeof getStepUpStatus
  readonly prove: (given: StepUpCredentials) => Promise<ResponseOf<typeof confirmStepUp>>
}

/** `callHash` binds the confirmation to one request: then the response contains a proof to send with it. */
export type StepUpCredentials = BodyInputOf<typeof confirmStepUp>

/** The effect of a request with a confirmation of its own, as the dialog names it: amount, destination, account. */
export interface StepUpSubject {
  readonly title: string
  readonly rows: readonly { readonly key: string; readonly value: string }[]
}

/** For a request with a confirmation of its own: its effect, and the hash that binds the confirmation to it. */
export interface StepUpBinding {
  readonly subject: StepUpSubject | null
  readonly callHash: string
}

/** Null if signed out. */
export const StepUpContext = createContext<StepUpCalls | null>(null)

/** The result: `proof` is sent with a request that requires one of its own. */
export interface StepUpResult {
  readonly proof?: string | undefined
}

export interface StepUpPrompt {
  readonly by: StepUpMethod
  readonly bound: StepUpBinding | null
  readonly answer: Promise<StepUpResult | null>
  settle(proved: StepUpResult | null): void
}

let pending: StepUpPrompt | null = null
const listeners = new Set<() => void>()

function setPending(next: StepUpPrompt | null): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Returns the pending prompt to render, or null. */
export function currentStepUp(): StepUpPrompt | null {
  return pending
}

export function subscribeToStepUp(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Cancels the pending prompt, if any. */
export function cancelStepUp(): void {
  pending?.settle(null)
}

/** Returns the result, or null if cancelled. Requests without a confirmation of their own share one prompt. */
async function askForStepUp(by: StepUpMethod, bound: StepUpBinding | null): Promise<StepUpResult | null> {
  for (let before = currentStepUp(); before; before = currentStepUp()) {
    if (!bound && !before.bound) return before.answer
    await before.answer
  }
  // Without a rendered prompt no one can be asked.
  if (listeners.size === 0) return null
  const { promise, resolve } = Promise.withResolvers<StepUpResult | null>()
  setPending({
    by,
    bound,
    answer: promise,
    settle(proved) {
      setPending(null)
      resolve(proved)
    },
  })
  return promise
}

/**
 * Sends a request, and sends it again after each confirmation that it requires. `bind` returns what a confirmation of
 * its own is bound to; `onHeld` is called when the request waits, before anything was done. Throws `not-proved` if the
 * prompt is cancelled.
 */
export async function withStepUp<T>(
  attempt: (proof: string | undefined) => Promise<T>,
  { bind, onHeld }: { bind?: (() => Promise<StepUpBinding>) | undefined; onHeld?: (() => void) | undefined } = {},
): Promise<T> {
  let proof: string | undefined
  for (;;) {
    try {
      return await attempt(proof)
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'prove-again') throw thrown
      onHeld?.()
      const by = thrown.values['by'] === 'code' ? 'code' : 'password'
      const proved = await askForStepUp(by, bind ? await bind() : null)
      if (!proved) throw notConfirmedError()
      proof = proved.proof
    }
  }
}

function notConfirmedError(): ApiError {
  return new ApiError({ status: 403, code: 'not-proved', texts: () => serverTexts(t`Nothing was sent.`) })
}

/** Returns whether the user cancelled the request: nothing happened, and no error is shown. */
export function isStepUpCancelled(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.code === 'not-proved'
}
