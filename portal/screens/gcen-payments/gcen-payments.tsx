import { IconClockHour4, IconInfoCircle } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import * as z from 'zod/mini'
import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { portalPaths } from '#contract/portal-paths.ts'
import { getLiveAccounts } from '#contract/accounts.ts'
import { checkCreditCardPayment } from '#contract/deposits.ts'
import { getTransferHistory } from '#contract/history.ts'
import { useUrlState, changeQuery } from '#ui/navigation/url-state.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { ButtonLink } from '#ui/forms/button.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { call } from '#ui/api/call.ts'
import { refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { Codes } from '#ui/text/codes.tsx'
import { slowAfterMs } from '../../funding/loading-step.tsx'
import { restoreDraft, failedResultOf, storeResult } from '../../funding/stored-request.ts'
import { openPanel } from '../../layout/panel.ts'
import { useClient } from '../../session.ts'
import './gcen-payments.css'

const addressSchema = z.object({ REF: z.optional(z.string().check(z.minLength(1), z.maxLength(64))) })

/** The return from the provider's page: queries the outcome of the payment and continues (requirements 2.5). */
export default function PaymentReturn() {
  const { t } = useLingui()
  const [path] = useLocation()
  const [{ REF }] = useUrlState(addressSchema)
  useWindowTitle(t`Your payment`)
  const content = REF === undefined ? <MissingReference /> : <PaymentCheck reference={REF} />
  if (path !== portalPaths.ideal) return <section className="sheet padded payment-return-sheet">{content}</section>
  // The logo and the panels, without header or menu (requirements 2.5, 24.14).
  return (
    <div className="payment-return">
      <header>
        <Logo />
      </header>
      <main id="content" className="sheet padded payment-return-sheet" tabIndex={-1}>
        {content}
      </main>
      <footer className="payment-return-panels">
        <button type="button" className="text-button" aria-haspopup="dialog" onClick={() => openPanel('display')}>
          <Trans>Language and appearance</Trans>
        </button>
        <button type="button" className="text-button" aria-haspopup="dialog" onClick={() => openPanel('help')}>
          <Trans>Help</Trans>
        </button>
      </footer>
    </div>
  )
}

function PaymentCheck({ reference }: { reference: string }) {
  const { t } = useLingui()
  const state = usePaymentCheck(reference)
  return (
    <>
      <p className="section-name">{t`Deposit funds`}</p>
      <h1 className="payment-return-title">
        <Spinner size={24} />
        <Trans>We are checking your payment</Trans>
      </h1>
      <p className="strong">{t`Do not pay again.`}</p>
      <p className="muted" role="status">
        {state === 'asking' && (
          <Trans>We are checking the status with the payment provider. This page will continue automatically.</Trans>
        )}
        {state === 'slow' &&
          t`We are waiting for the payment provider to confirm your payment. Some banks take one or two minutes.`}
        {state === 'unreachable' && (
          <Trans>The payment provider is not responding. Your payment is not lost. We will keep trying.</Trans>
        )}
        {state === 'long' && (
          <Trans>
            This is taking longer than usual. You can leave this page. We will email you when the money is in your
            account.
          </Trans>
        )}
      </p>
      {state === 'long' && (
        <ButtonLink
          href={portalPaths.history('deposits')}
          icon={<IconClockHour4 className="small" aria-hidden="true" />}
        >
          <Trans>Transactions History</Trans>
        </ButtonLink>
      )}
      <p className="payment-return-reference muted size-13 numbers">
        <Codes>{t`Reference ${reference}`}</Codes>
      </p>
    </>
  )
}

/** The address was entered manually, or lost its REF. */
function MissingReference() {
  const { t } = useLingui()
  return (
    <>
      <h1 className="payment-return-title">
        <IconInfoCircle aria-hidden="true" />
        <Trans>Payment not found</Trans>
      </h1>
      <p className="muted">{t`Do not pay again. Check the status of your payment in Transactions History.`}</p>
      <ButtonLink kind="primary" href={portalPaths.history('deposits')}>{t`Transactions History`}</ButtonLink>
    </>
  )
}

const pauseMs = 2_500
const longAfterMs = 90_000

type CheckState = 'asking' | 'slow' | 'unreachable' | 'long'

/** Navigates to /deposit-funds/success or /failed as soon as the outcome is known (requirements 2.5). */
function usePaymentCheck(reference: string): CheckState {
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
      void refreshEndpoints(queries, [getTransferHistory, getLiveAccounts])
      navigate(path, { replace: true })
    }
    const ask = async (background: boolean) => {
      let reached = true
      try {
        const { status } = await call(checkCreditCardPayment, { REF: reference }, { background, signal: stop.signal })
        if (stop.signal.aborted) return
        if (status === 'paid') return leave(portalPaths.depositResult('success') + changeQuery('', { REF: reference }))
      } catch (thrown) {
        if (stop.signal.aborted) return
        if (!(thrown instanceof ApiError)) throw thrown
        // The session ended: the portal requests a login and returns here.
        if (thrown.status === 401) return
        if (!isTemporary(thrown)) {
          const charged = wasCharged(thrown)
          if (charged === false) restoreDraft('deposit', owner, reference)
          // Of a payment of the client's, the history shows its own reference.
          const result =
            thrown.code === 'not-found'
              ? { errorMessage: unknown, reference: thrown.reference }
              : { ...failedResultOf(thrown), reference }
          storeResult('deposit', owner, { ...result, charged })
          return leave(portalPaths.depositResult('failed'))
        }
        reached = false
      }
      setState(checkStateAfter(Date.now() - begun, reached))
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
function isTemporary({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500
}

/**
 * Returns whether the payment was made and not returned; null if the response does not tell, such as for a reference of
 * another client.
 */
function wasCharged({ code }: ApiError): boolean | null {
  if (code === 'payment-refused') return false
  return code === 'payment-not-credited' || code === 'payment-in-review' ? true : null
}

function checkStateAfter(passedMs: number, reached: boolean): CheckState {
  if (passedMs >= longAfterMs) return 'long'
  if (!reached) return 'unreachable'
  return passedMs >= slowAfterMs ? 'slow' : 'asking'
}
