import { useCallback, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { call, type InputOf } from '#ui/call.ts'
import { refresh } from '#ui/endpoint-query.ts'
import { Failure } from '#ui/failure.ts'

export interface ConfirmedRequest<E extends Endpoint> {
  refreshes: readonly Endpoint[]
  /** Told before the request leaves, so that a reload knows. */
  onSending: () => void
  onDone: (answer: AnswerOf<E>) => void
  /** Nobody knows whether it happened (`failure.unanswered`), or it was refused. */
  onFailure: (failure: Failure) => void
}

/** Sends a money request under the key of its confirm step: sent again under the same key it still happens once. */
export function useConfirmedRequest<E extends Endpoint>(endpoint: E, options: ConfirmedRequest<E>) {
  const queries = useQueryClient()
  const [isPending, setPending] = useState(false)
  const { refreshes, onSending, onDone, onFailure } = options
  const send = useCallback(
    async (input: InputOf<E>, idempotencyKey: string) => {
      setPending(true)
      onSending()
      try {
        const answer = await call(endpoint, input, { idempotencyKey })
        void refresh(queries, refreshes)
        onDone(answer)
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown
        onFailure(thrown)
      } finally {
        setPending(false)
      }
    },
    [endpoint, queries, refreshes, onSending, onDone, onFailure],
  )
  return { send, isPending }
}
