import { Trans, useLingui } from '@lingui/react/macro'
import { Redirect } from 'wouter'
import * as z from 'zod/mini'
import { checkCreditCardPayment, getWireDetails } from '#contract/deposits.ts'
import { getTransferTimeline } from '#contract/history.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { type Money as Amount, money, subtract } from '#rules/money.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { Money, moneyText, MoneySummary } from '#ui/money/money.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Time } from '#ui/text/time.tsx'
import { accountMoney, accountNumberText, accountOfNumber, useOpenAccounts } from '../../funding/accounts.ts'
import { useStoredResult } from '../../funding/stored-request.ts'
import { MissingResult } from '../../funding/missing-result.tsx'
import { ReceivedHeader } from '../../funding/received-header.tsx'
import { LoadingStep } from '../../funding/loading-step.tsx'
import { AnnouncedNextSteps, PaidNextSteps } from './next-steps.tsx'
import { WireDetailsCard } from './wire-details-card.tsx'

const addressSchema = z.object({ deposit: z.optional(z.string()), REF: z.optional(z.string()) })
const storedWire = z.object({ id: z.string(), account: z.string(), at: z.int() })

/** SUCCESS: where to send a wire, or the result of a card payment. */
export function DepositSuccess() {
  const [{ deposit, REF }] = useUrlState(addressSchema)
  if (deposit !== undefined) return <WireSuccess id={deposit} />
  if (REF !== undefined) return <CardSuccess reference={REF} />
  return <MissingResult list="deposits" />
}

function WireSuccess({ id }: { id: string }) {
  const { t, i18n } = useLingui()
  const stored = useStoredResult('deposit', storedWire)
  const own = stored?.id === id ? stored : null
  const { data, error, refetch } = useEndpoint(getWireDetails, { id })
  useWindowTitle(t`Deposit funds`)
  // Nothing must be sent any more: the history shows the outcome.
  if (error instanceof ApiError && error.code === 'wrong-state')
    return <Redirect to={portalPaths.history('deposits', id)} replace />
  if (error && !data) return <ErrorPanel level="h1" failure={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingStep />
  const amount = money(data.amount, data.currency)
  return (
    <>
      <ReceivedHeader mark={t`Request received`} title={t`Now send ${moneyText(amount, i18n.locale)} from your bank`}>
        <Trans>
          Pay from an account in your own name. Enter the reference exactly as shown. Without it we cannot identify your
          payment.
        </Trans>
      </ReceivedHeader>
      <div className="with-slip">
        <WireDetailsCard id={id} details={data.bankDetails} amount={amount} expiresAt={data.expiresAt} />
        <AnnouncedNextSteps id={id} account={own?.account ?? null} at={own ? new Date(own.at) : null} />
      </div>
    </>
  )
}

function CardSuccess({ reference }: { reference: string }) {
  const { t, i18n } = useLingui()
  const { data, error } = useEndpoint(checkCreditCardPayment, { REF: reference })
  useWindowTitle(t`Deposit funds`)
  if (error instanceof ApiError && error.status === 404) return <MissingResult list="deposits" />
  // A payment is not called paid before the provider confirms it: the return page waits for that.
  if ((error && !data) || data?.status === 'pending')
    return <Redirect to={`${portalPaths.gcenPayments}?REF=${encodeURIComponent(reference)}`} replace />
  if (!data) return <LoadingStep />
  const paid = money(data.amount, data.currency)
  const amount = moneyText(paid, i18n.locale)
  return (
    <>
      <ReceivedHeader mark={t({ message: 'Paid', context: 'by the client' })} title={t`${amount} has been paid`}>
        <CreditStatus id={data.id} account={data.accountNumber} />
      </ReceivedHeader>
      <div className="with-slip">
        <div>
          <PaidSummary id={data.id} reference={reference} account={data.accountNumber} paid={paid} />
          <ResultActions record={data.id} />
        </div>
        <PaidNextSteps account={data.accountNumber} id={data.id} />
      </div>
    </>
  )
}

/** The status of the payment, with the account. */
function CreditStatus({ id, account }: { id: string; account: string }) {
  const { i18n } = useLingui()
  const status = useEndpoint(getTransferTimeline, { list: 'deposits', id }).data?.deposit?.status
  const { accounts } = useOpenAccounts()
  const shown = accounts && accountOfNumber(accounts, account)
  const balance = shown && accountMoney(shown, shown.balance)
  if (status === 'uncredited' || status === 'rejected')
    return (
      <Trans>
        We could not credit {accountNumberText(account)}. We have your money and will credit or return it. We will email
        you.
      </Trans>
    )
  if (status === 'refunding' || status === 'refunded')
    return (
      <Trans>
        We could not credit {accountNumberText(account)}. The payment provider returns the payment to the card or
        account that you paid with.
      </Trans>
    )
  if (status !== 'approved')
    return (
      <Trans>
        We are crediting it to {accountNumberText(account)}. This usually takes less than a minute. We will email you
        when it is done.
      </Trans>
    )
  return (
    <>
      <Trans>We have credited it to {accountNumberText(account)}.</Trans>{' '}
      {balance && (
        <Trans>
          Account balance: {moneyText(balance, i18n.locale)}, as of <Time at={shown?.figuresAt ?? null} />.
        </Trans>
      )}
    </>
  )
}

/** Shows the paid amount and method, down to the amount received; method and fee are loaded with the timeline. */
function PaidSummary({ id, ...known }: { id: string; reference: string; account: string; paid: Amount }) {
  const { t } = useLingui()
  const { reference, account, paid } = known
  const row = useEndpoint(getTransferTimeline, { list: 'deposits', id }).data?.deposit
  const fee = row ? money(row.depositFee, row.depositCurrency) : null
  return (
    <MoneySummary
      look="wide"
      lines={[
        { label: t`Reference`, value: reference },
        { label: t`To`, value: accountNumberText(account) },
        { label: t`Method`, value: row?.depositMethod ?? null },
        { label: t`You paid`, value: <Money amount={paid} /> },
        { label: t`Fee`, value: fee && <Money amount={fee} /> },
      ]}
      total={{ label: t`Credited amount`, value: fee && <Money amount={subtract(paid, fee)} size="step" /> }}
    />
  )
}

function ResultActions({ record }: { record: string }) {
  const { t } = useLingui()
  return (
    <div className="result-commands">
      <ButtonLink kind="primary" href={portalPaths.tradingAccounts}>{t`Trading Accounts`}</ButtonLink>
      <ButtonLink href={portalPaths.history('deposits', record)}>{t`Transactions History`}</ButtonLink>
    </div>
  )
}
