import { Trans, useLingui } from '@lingui/react/macro'
import { Redirect } from 'wouter'
import * as z from 'zod/mini'
import { checkCreditCardPayment, getWireDetails } from '#contract/deposits.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { money } from '#rules/money.ts'
import { useAddress } from '#ui/address.ts'
import { ButtonLink } from '#ui/button.tsx'
import { useEndpoint } from '#ui/endpoint-query.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { moneyText } from '#ui/money.tsx'
import { useWindowTitle } from '#ui/page-header.tsx'
import { numberText } from '../../funding/accounts.ts'
import { useStoredResult } from '../../funding/kept-request.ts'
import { NoResult } from '../../funding/no-result.tsx'
import { ReceivedHeader } from '../../funding/received-header.tsx'
import { NextOfAnnounced, NextOfPaid } from './what-happens-next.tsx'
import { WireDetailsSheet } from './wire-details-sheet.tsx'

const addressSchema = z.object({ deposit: z.optional(z.string()), REF: z.optional(z.string()) })
const storedWire = z.object({ id: z.string(), account: z.string(), at: z.int() })

/** SUCCESS: where to send a wire, or what a card payment did. */
export function DepositSuccess() {
  const [{ deposit, REF }] = useAddress(addressSchema)
  if (deposit !== undefined) return <WireSuccess id={deposit} />
  if (REF !== undefined) return <CardSuccess reference={REF} />
  return <NoResult list="deposits" />
}

function WireSuccess({ id }: { id: string }) {
  const { t, i18n } = useLingui()
  const stored = useStoredResult('deposit', storedWire)
  const own = stored?.id === id ? stored : null
  const { data, error, refetch } = useEndpoint(getWireDetails, { id })
  useWindowTitle(t`Deposit funds`)
  if (error) return <ErrorPanel level="h1" failure={error} onRetry={() => void refetch()} />
  if (!data) return null
  const amount = money(data.amount, data.currency)
  return (
    <>
      <ReceivedHeader mark={t`Request received`} title={t`Now send ${moneyText(amount, i18n.locale)} from your bank`}>
        <Trans>
          Send it from an account in your own name. Write the reference exactly as it stands here; without it we cannot
          tell whose money it is.
        </Trans>
      </ReceivedHeader>
      <div className="with-slip">
        <WireDetailsSheet id={id} details={data.bankDetails} amount={amount} expiresAt={data.expiresAt} />
        <NextOfAnnounced account={own?.account ?? null} at={own ? new Date(own.at) : null} />
      </div>
    </>
  )
}

function CardSuccess({ reference }: { reference: string }) {
  const { t, i18n } = useLingui()
  const { data, error } = useEndpoint(checkCreditCardPayment, { REF: reference })
  useWindowTitle(t`Deposit funds`)
  if (error) return <NoResult list="deposits" />
  if (!data) return null
  // Nothing is said to be paid before the provider has said so: there it is waited for.
  if (data.status === 'pending')
    return <Redirect to={`${portalPaths.gcenPayments}?REF=${encodeURIComponent(reference)}`} replace />
  const amount = moneyText(money(data.amount, data.currency), i18n.locale)
  return (
    <>
      <ReceivedHeader mark={t({ message: 'Paid', context: 'by the client' })} title={t`${amount} has been paid`}>
        <Trans>
          We add it to {numberText(data.accountNumber)} now; usually that takes less than a minute. We write to you when
          it is there. The reference of this payment is <span className="unbroken">{reference}</span>.
        </Trans>
      </ReceivedHeader>
      <div className="with-slip">
        <ResultCommands record={data.id} />
        <NextOfPaid account={data.accountNumber} id={data.id} />
      </div>
    </>
  )
}

function ResultCommands({ record }: { record: string }) {
  return (
    <div className="result-commands">
      <ButtonLink kind="primary" href={portalPaths.tradingAccounts}>
        <Trans>Trading Accounts</Trans>
      </ButtonLink>
      <ButtonLink href={portalPaths.history('deposits', record)}>
        <Trans>Transactions History</Trans>
      </ButtonLink>
    </div>
  )
}
