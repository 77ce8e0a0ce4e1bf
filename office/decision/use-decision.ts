import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { StatusRecord } from '#contract/status-labels.ts'
import type { Decided } from '#contract/office/decisions.ts'
import { pathOfWorkItem } from '#contract/office-paths.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { useStateLabel } from '../records/value-names.ts'
import type { Decision, SentDecision } from './office-record.ts'

export interface UseDecision {
  /** The decision whose confirmation is open. */
  readonly open: Decision | null
  readonly ask: (decision: Decision) => void
  readonly close: () => void
  readonly send: (decision: SentDecision, text: string, told?: string) => void
  readonly pending: SentDecision | null
  readonly failure: ApiError | null
  /** A colleague decided first, or the record changed: the page is reloaded and shows this above it. */
  readonly overtaken: ApiError | null
  /** The text entered for a decision that was overtaken: its confirmation contains it again. */
  readonly writtenFor: (action: string) => { readonly text: string; readonly told: string } | null
}

/**
 * Sends a decision with the version shown on the page. Afterwards the next item of the queue opens immediately; if
 * there is none, `list` opens. `stay` keeps the page, for a case with several documents.
 */
export function useDecision(kind: StatusRecord, list: string, stay?: (answer: Decided) => boolean): UseDecision {
  const { t } = useLingui()
  const word = useStateLabel()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<Decision | null>(null)
  const [overtaken, setOvertaken] = useState<ApiError | null>(null)
  const [written, setWritten] = useState<{ action: string; text: string; told: string } | null>(null)
  const sending = useMutation<Decided, Error, { decision: SentDecision; text: string; told: string }>({
    mutationFn: ({ decision, text, told }) => decision.send(text, told),
    networkMode: 'always',
    retry: false,
    onSuccess: (answer) => {
      setOpen(null)
      setOvertaken(null)
      setWritten(null)
      void queries.invalidateQueries()
      showToast(answer.nextItem ? t`${word(kind, answer.state)}. Next item opened.` : t`${word(kind, answer.state)}.`)
      if (stay?.(answer)) return
      navigate(answer.nextItem ? pathOfWorkItem(answer.nextItem.kind, answer.nextItem.id) : list)
    },
    onError: (thrown, { decision, text, told }) => {
      // The page then shows whether it happened.
      if (thrown instanceof ApiError && thrown.code === 'outcome-unseen') void queries.invalidateQueries()
      if (!(thrown instanceof ApiError) || thrown.status !== 409) return
      setOpen(null)
      setOvertaken(thrown)
      setWritten({ action: decision.action, text, told })
      void queries.invalidateQueries()
    },
  })
  const failure = sending.error instanceof ApiError && sending.error.status !== 409 ? sending.error : null
  return {
    open,
    ask: (decision) => {
      sending.reset()
      setOpen(decision)
    },
    close: () => setOpen(null),
    send: (decision, text, told = '') => sending.mutate({ decision, text, told }),
    pending: sending.isPending ? sending.variables.decision : null,
    failure,
    overtaken,
    writtenFor: (action) => (written?.action === action ? written : null),
  }
}
