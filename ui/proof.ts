/**
 * Some calls ask again who sits there before they move money or access. The call waits meanwhile and is then sent once
 * more as it was, so a screen notices nothing but the time it took.
 */
import { t } from '@lingui/core/macro'
import { createContext } from 'react'
import type { proveAgain, showProof } from '#contract/proof.ts'
import type { ProofKind } from '#rules/proof.ts'
import { Failure } from './failure.ts'

/** Each app has its own pair of calls. */
export interface ProofCalls {
  readonly show: typeof showProof
  readonly prove: typeof proveAgain
}

/** Null where nobody is signed in. */
export const ProofContext = createContext<ProofCalls | null>(null)

export interface Asked {
  readonly by: ProofKind
  readonly answer: Promise<boolean>
  settle(proved: boolean): void
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

/** Ends what is asked for, if anything is: the waiting calls go on, or are given up. */
export function settleAsked(proved: boolean): void {
  asked?.settle(proved)
}

/** True once it was proved; several calls wait for one answer. Where no prompt is drawn nobody can be asked. */
function askForProof(by: ProofKind): Promise<boolean> {
  if (asked) return asked.answer
  if (listeners.size === 0) return Promise.resolve(false)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  change({
    by,
    answer: promise,
    settle(proved) {
      change(null)
      resolve(proved)
    },
  })
  return promise
}

/** Makes a call, and makes it again after each proof that it asks for. Throws `not-proved` where none was given. */
export async function withProof<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'prove-again') throw thrown
    if (!(await askForProof(thrown.values['by'] === 'code' ? 'code' : 'password'))) throw notProved()
    return withProof(attempt)
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
