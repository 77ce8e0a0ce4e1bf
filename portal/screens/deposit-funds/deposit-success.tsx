import { Trans, useLingui } from '@lingui/react/macro'
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
  return <PlainSuccess />
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
  const { data } = useEndpoint(checkCreditCardPayment, { REF: reference })
  useWindowTitle(t`Deposit funds`)
  if (!data) return <PlainSuccess />
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

function PlainSuccess() {
  const { t } = useLingui()
  useWindowTitle(t`Deposit funds`)
  return (
    <>
      <ReceivedHeader mark={t`Request received`} title={t`We have your deposit`}>
        <Trans>What becomes of it stands in Transactions History, and we write to you.</Trans>
      </ReceivedHeader>
      <ResultCommands />
    </>
  )
}

function ResultCommands({ record }: { record?: string }) {
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
