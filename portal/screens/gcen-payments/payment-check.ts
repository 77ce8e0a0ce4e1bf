/** Polls a payment until the provider knows its outcome. */
import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useQueryClient } from '@tanstack/react-query'
import { getLiveAccounts } from '#contract/accounts.ts'
import { checkCreditCardPayment } from '#contract/deposits.ts'
import { getTransferHistory } from '#contract/history.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { withChange } from '#ui/navigation/url-state.ts'
import { call } from '#ui/api/call.ts'
import { refresh } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { restore, storeResult } from '../../funding/stored-request.ts'
import { useClient } from '../../session.ts'

const pauseMs = 2_500
/** After 10 s a page must say what it waits for (requirements 36.6). */
const slowAfterMs = 10_000
const longAfterMs = 90_000

type CheckState = 'asking' | 'slow' | 'unreachable' | 'long'

/** Navigates to /deposit-funds/success or /failed as soon as the outcome is known (requirements 2.5). */
export function usePaymentCheck(reference: string): CheckState {
  const { t } = useLingui()
  const unknown = t`We cannot find a payment of yours with this reference.`
  const [state, setState] = useState<CheckState>('asking')
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const owner = useClient()?.id ?? ''
  useEffect(() => {
    const stop = new AbortController()
    const begun = Date.now()
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = (path: string) => {
      void refresh(queries, [getTransferHistory, getLiveAccounts])
      navigate(path, { replace: true })
    }
    const ask = async (background: boolean) => {
      let reached = true
      try {
        const { status } = await call(checkCreditCardPayment, { REF: reference }, { background, signal: stop.signal })
        if (stop.signal.aborted) return
        if (status === 'paid') return leave(portalPaths.depositResult('success') + withChange('', { REF: reference }))
      } catch (thrown) {
        if (stop.signal.aborted) return
        if (!(thrown instanceof ApiError)) throw thrown
        // The session ended: the portal requests a login and returns here.
        if (thrown.status === 401) return
        if (!isPassing(thrown)) {
          const charged = chargedOf(thrown)
          if (charged === false) restore('deposit', owner, reference)
          const errorMessage = thrown.code === 'not-found' ? unknown : thrown.error
          storeResult('deposit', owner, { errorMessage, reference: thrown.reference, charged })
          return leave(portalPaths.depositResult('failed'))
        }
        reached = false
      }
      setState(stateAfter(Date.now() - begun, reached))
      timer = setTimeout(() => void ask(true), pauseMs)
    }
    void ask(false)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [reference, owner, unknown, navigate, queries])
  return state
}

/**
 * Returns whether the failure is temporary: no response, too many requests or an unavailable provider. The payment
 * itself is still open.
 */
function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500
}

/**
 * Returns whether the payment was made; null if the response does not tell, such as for a reference of another client.
 */
function chargedOf({ code }: ApiError): boolean | null {
  if (code === 'payment-refused') return false
  return code === 'payment-not-credited' ? true : null
}

function stateAfter(passedMs: number, reached: boolean): CheckState {
  if (passedMs >= longAfterMs) return 'long'
  if (!reached) return 'unreachable'
  return passedMs >= slowAfterMs ? 'slow' : 'asking'
}
