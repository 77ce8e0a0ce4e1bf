import { IconClockHour4, IconInfoCircle } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import * as z from 'zod/mini'
import { portalPaths } from '#contract/portal-paths.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { ButtonLink } from '#ui/forms/button.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import './gcen-payments.css'
import { usePaymentCheck } from './payment-check.ts'

const addressSchema = z.object({ REF: z.optional(z.string().check(z.minLength(1), z.maxLength(64))) })

/** The return from the provider's page: queries the outcome of the payment and continues (requirements 2.5). */
export default function PaymentReturn() {
  const { t } = useLingui()
  const [path] = useLocation()
  const [{ REF }] = useUrlState(addressSchema)
  useWindowTitle(t`Your payment`)
  const told = REF === undefined ? <WithoutReference /> : <Check reference={REF} />
  if (path !== portalPaths.ideal) return <section className="sheet padded payment-return-sheet">{told}</section>
  // Only the firm's logo surrounds it (requirements 2.5).
  return (
    <div className="payment-return">
      <header>
        <Logo />
      </header>
      <main id="content" className="sheet padded payment-return-sheet" tabIndex={-1}>
        {told}
      </main>
    </div>
  )
}

function Check({ reference }: { reference: string }) {
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
      <p className="payment-return-reference muted size-13 numbers">{t`Reference ${reference}`}</p>
    </>
  )
}

/** The address was entered manually, or lost its REF. */
function WithoutReference() {
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
