/**
 * Some calls ask again who sits there before they move money or access. The call waits meanwhile and is then sent once
 * more as it was, so a screen notices nothing but the time it took.
 */
import { t } from '@lingui/core/macro'
import { createContext } from 'react'
import type { ResponseOf, BodyInputOf } from '#contract/endpoint.ts'
import type { confirmStepUp, getStepUpStatus } from '#contract/step-up.ts'
import type { StepUpMethod } from '#rules/step-up.ts'
import { ApiError } from '../api/api-error.ts'

/** Each app has its own pair of calls. */
export interface StepUpCalls {
  readonly show: typeof getStepUpStatus
  readonly prove: (given: StepUpCredentials) => Promise<ResponseOf<typeof confirmStepUp>>
}

/** `callHash` binds the proof to one call: where it is given the answer brings a proof to send. */
export type StepUpCredentials = BodyInputOf<typeof confirmStepUp>

/** What a call that takes a proof of its own does, in the words of its dialog: amount, destination, account. */
export interface StepUpSubject {
  readonly title: string
  readonly rows: readonly { readonly key: string; readonly value: string }[]
}

/** Of a call that takes a proof of its own: what it does, and the hash that binds the proof to it. */
export interface Bound {
  readonly subject: StepUpSubject | null
  readonly callHash: string
}

/** Null where no one is signed in. */
export const StepUpContext = createContext<StepUpCalls | null>(null)

/** What was given: `proof` is sent back where the call takes one of its own. */
export interface StepUpResult {
  readonly proof?: string | undefined
}

export interface StepUpPrompt {
  readonly by: StepUpMethod
  readonly bound: Bound | null
  readonly answer: Promise<StepUpResult | null>
  settle(proved: StepUpResult | null): void
}

let pending: StepUpPrompt | null = null
const listeners = new Set<() => void>()

function change(next: StepUpPrompt | null): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Returns what is asked for now, for the prompt that draws it. */
export function currentStepUp(): StepUpPrompt | null {
  return pending
}

export function subscribeToStepUp(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Gives up what is asked for, if anything is. */
export function cancelStepUp(): void {
  pending?.settle(null)
}

/**
 * Returns what was given, or null where it was given up. Calls without a proof of their own wait for one answer
 * together.
 */
async function askForStepUp(by: StepUpMethod, bound: Bound | null): Promise<StepUpResult | null> {
  for (let before = currentStepUp(); before; before = currentStepUp()) {
    if (!bound && !before.bound) return before.answer
    await before.answer
  }
  // Where no prompt is drawn no one can be asked.
  if (listeners.size === 0) return null
  const { promise, resolve } = Promise.withResolvers<StepUpResult | null>()
  change({
    by,
    bound,
    answer: promise,
    settle(proved) {
      change(null)
      resolve(proved)
    },
  })
  return promise
}

/**
 * Makes a call, and makes it again after each proof that it asks for. `bind` says what a call that takes a proof of its own
 * is bound to; `onHeld` is told that nothing was done meanwhile. Throws `not-proved` where none was given.
 */
export async function withStepUp<T>(
  attempt: (proof: string | undefined) => Promise<T>,
  { bind, onHeld }: { bind?: (() => Promise<Bound>) | undefined; onHeld?: (() => void) | undefined } = {},
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
      if (!proved) throw notConfirmed()
      proof = proved.proof
    }
  }
}

function notConfirmed(): ApiError {
  const error = t`Nothing was sent.`
  return new ApiError({ status: 403, code: 'not-proved', error, errors: { server: error } })
}

/** Returns whether a call was given up by the person: nothing happened, and nothing is to be said. */
export function wasGivenUp(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.code === 'not-proved'
}
