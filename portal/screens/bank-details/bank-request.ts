import { useState } from 'react'
import { addBankDetails, getBankDetails, updateBankDetails } from '#contract/bank-details.ts'
import type { ApiError } from '#ui/api/api-error.ts'
import { useConfirmedRequest } from '../../funding/confirmed-request.ts'
import type { StoredRequest } from '../../funding/stored-request.ts'
import { bankDataOf, type BankDraft, type BankValues, useBankStepUpSubject } from './bank-values.ts'

/** The only request about bank details in this tab that may lack a response. */
export interface KeptBank {
  kept: StoredRequest<BankDraft> | null
  keep: (kept: StoredRequest<BankDraft>) => void
  forget: () => void
}

interface Parts extends KeptBank {
  /** The bank account to be changed; null for a new one. */
  id: string | null
  userId: string
  values: BankValues
  onDone: () => void
  onLost: (failure: ApiError) => void
  onRefused: (failure: ApiError) => void
}

const refreshes = [getBankDetails]

/**
 * Sends a new or changed bank account, only by its button; queries the outcome of a request without a response
 * (requirements 15.16).
 */
export function useBankRequest({ id, userId, values, kept, keep, forget, onDone, onLost, onRefused }: Parts) {
  const [key] = useState(() => crypto.randomUUID())
  const own = kept?.draft.id === id ? kept : { key, sent: false, draft: { id, values } }
  const parts = {
    kept: own,
    keep,
    refreshes,
    subject: useBankStepUpSubject(values, id === null),
    onDone: () => {
      forget()
      onDone()
    },
    // A response without a success flag has its own alert (requirements 12.7).
    onLost: (failure: ApiError) => {
      if (failure.code === 'not-understood') onLost(failure)
    },
    onRefused: (failure: ApiError) => {
      keep({ key: crypto.randomUUID(), sent: false, draft: { id, values } })
      onRefused(failure)
    },
  }
  const add = useConfirmedRequest(addBankDetails, { ...parts, asks: id === null })
  const change = useConfirmedRequest(updateBankDetails, { ...parts, asks: id !== null })
  const request = id === null ? add : change
  const same = JSON.stringify(own.draft.values) === JSON.stringify(values)
  const send = async () => {
    const draft = { id, values }
    // The same account is sent under the same key and written once; another one is another request.
    const under = own.sent && same ? own.key : crypto.randomUUID()
    const bankData = bankDataOf(values, userId)
    if (id === null) return add.send({ bankData: { ...bankData, bankPOA: values.bankPOA } }, draft, under)
    return change.send({ bankData: { ...bankData, _id: id } }, draft, under)
  }
  // Changed details would be a second request while the first one may still arrive (requirements 24.257).
  return { request, send, mustWait: own.sent && !same && !request.mayChange }
}
