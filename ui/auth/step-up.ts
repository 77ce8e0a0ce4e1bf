/**
 * Some calls ask again who sits there before they move money or access. The call waits meanwhile and is then sent once
 * more as it was, so a screen notices nothing but the time it took.
 */
import { t } from '@lingui/core/macro'
import { createContext } from 'react'
import type { AnswerOf, BodyInputOf } from '#contract/endpoint.ts'
import type { proveAgain, showProof } from '#contract/step-up.ts'
import type { ProofKind } from '#rules/step-up.ts'
import { Failure } from '../api/api-error.ts'

/** Each app has its own pair of calls. */
export interface ProofCalls {
  readonly show: typeof showProof
  readonly prove: (given: Given) => Promise<AnswerOf<typeof proveAgain>>
}

/** `callHash` binds the proof to one call: where it is given the answer brings a proof to send. */
export type Given = BodyInputOf<typeof proveAgain>

/** What a call that takes a proof of its own does, in the words of its dialog: amount, destination, account. */
export interface ProofSubject {
  readonly title: string
  readonly rows: readonly { readonly key: string; readonly value: string }[]
}

/** Of a call that takes a proof of its own: what it does, and the hash that binds the proof to it. */
export interface Bound {
  readonly subject: ProofSubject | null
  readonly callHash: string
}

/** Null where nobody is signed in. */
export const ProofContext = createContext<ProofCalls | null>(null)

/** What was given: `proof` is sent back where the call takes one of its own. */
export interface Proved {
  readonly proof?: string | undefined
}

export interface Asked {
  readonly by: ProofKind
  readonly bound: Bound | null
  readonly answer: Promise<Proved | null>
  settle(proved: Proved | null): void
}

let asked: Asked | null = null
const listeners = new Set<() => void>()

function change(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

/** What is asked for now, for the prompt that draws it. */
export function askedNow(): Asked | null {
  return asked
}

export function subscribeToAsked(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Gives up what is asked for, if anything is. */
export function giveUpAsked(): void {
  asked?.settle(null)
}

/** What was given, or null where it was given up. Calls without a proof of their own wait for one answer together. */
async function askForProof(by: ProofKind, bound: Bound | null): Promise<Proved | null> {
  for (let before = askedNow(); before; before = askedNow()) {
    if (!bound && !before.bound) return before.answer
    await before.answer
  }
  // Where no prompt is drawn nobody can be asked.
  if (listeners.size === 0) return null
  const { promise, resolve } = Promise.withResolvers<Proved | null>()
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
export async function withProof<T>(
  attempt: (proof: string | undefined) => Promise<T>,
  { bind, onHeld }: { bind?: (() => Promise<Bound>) | undefined; onHeld?: (() => void) | undefined } = {},
): Promise<T> {
  let proof: string | undefined
  for (;;) {
    try {
      return await attempt(proof)
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'prove-again') throw thrown
      onHeld?.()
      const by = thrown.values['by'] === 'code' ? 'code' : 'password'
      const proved = await askForProof(by, bind ? await bind() : null)
      if (!proved) throw notProved()
      proof = proved.proof
    }
  }
}

function notProved(): Failure {
  const error = t`Nothing was sent.`
  return new Failure({ status: 403, code: 'not-proved', error, errors: { server: error } })
}

/** Whether a call was given up by the person: nothing happened, and nothing is to be said. */
export function wasGivenUp(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.code === 'not-proved'
}
