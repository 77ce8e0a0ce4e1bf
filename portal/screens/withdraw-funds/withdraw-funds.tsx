import { useLingui, Trans } from '@lingui/react/macro'
import { useLocation, useSearchParams } from 'wouter'
import * as z from 'zod/mini'
import { portalPaths } from '#contract/portal-paths.ts'
import { currencies, type Currency, minorOf, money, subtract } from '#rules/money.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Money, moneyText, MoneySummary } from '#ui/money/money.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { withUnbrokenRanges } from '#ui/text/no-break.ts'
import { ContinuesFrom } from '../../funding/continues-from.tsx'
import { FailedResult } from '../../funding/failed-result.tsx'
import { WithdrawWizard } from './withdraw-wizard.tsx'
import { accountNumberText } from '../../funding/accounts.ts'
import { useStoredResult } from '../../funding/stored-request.ts'
import { MissingResult } from '../../funding/missing-result.tsx'
import { ReceivedHeader } from '../../funding/received-header.tsx'
import { NextSteps } from '../../funding/next-steps.tsx'

/** Withdraw Funds and the result of a withdrawal (requirements 9.1). */
export default function WithdrawFunds() {
  const { t } = useLingui()
  const [path] = useLocation()
  const [search] = useSearchParams()
  if (path === portalPaths.withdrawalResult('success')) return <WithdrawSuccess />
  if (path === portalPaths.withdrawalResult('failed'))
    return (
      <FailedResult
        at="withdrawal"
        page={t`Withdraw funds`}
        title={t`WITHDRAWAL FAILED!`}
        again={portalPaths.withdrawFunds}
        means={t`No money was set aside or sent.`}
      />
    )
  return <WithdrawWizard preselected={search.get('account')} />
}

const storedWithdrawal = z.object({
  id: z.string(),
  reference: z.string(),
  account: z.string(),
  bank: z.string(),
  ending: z.string(),
  time: z.string(),
  currency: z.enum(currencies),
  amount: z.string(),
  arrives: z.string(),
  available: z.string(),
  /** In ms since 1970, if the request waits; older results have none. */
  continuesAt: z._default(z.nullable(z.number()), null),
})
type Stored = z.output<typeof storedWithdrawal>

/** SUCCESS: the requested amount, the amount set aside and the next steps. */
function WithdrawSuccess() {
  const { t, i18n } = useLingui()
  const stored = useStoredResult('withdrawal', storedWithdrawal)
  useWindowTitle(t`Withdraw funds`)
  if (!stored) return <MissingResult list="withdrawals" />
  const amount = moneyText(amountOf(stored.amount, stored.currency), i18n.locale)
  const continuesAt = stored.continuesAt === null ? null : new Date(stored.continuesAt)
  return (
    <>
      <ReceivedHeader mark={t`Request received`} title={t`We have received your request and set aside ${amount}`}>
        <Trans>
          We will review your request and send the money to your bank. You can cancel it in Transactions History until
          we approve it.
        </Trans>
      </ReceivedHeader>
      <ContinuesFrom at={continuesAt} />
      <div className="with-slip">
        <div>
          <SentSummary stored={stored} />
          <p className="slip-note">
            <Trans>
              {moneyText(amountOf(stored.available, stored.currency), i18n.locale)} is still available in{' '}
              {accountNumberText(stored.account)}.
            </Trans>
          </p>
          <div className="result-commands">
            <ButtonLink kind="primary" href={portalPaths.history('withdrawals', stored.id)}>
              <Trans>Transactions History</Trans>
            </ButtonLink>
            <ButtonLink href={portalPaths.tradingAccounts}>{t`Trading Accounts`}</ButtonLink>
          </div>
        </div>
        <NextSteps
          entries={[
            { mark: 'approved', title: t`Request received`, text: t`${amount} is set aside.` },
            {
              title: t`We review and approve`,
              text: continuesAt ? t`Within one working day after that time.` : t`Within one working day.`,
            },
            {
              title: t`We send it to your bank`,
              text: t`It should arrive ${withUnbrokenRanges(stored.time)} later. We will email you when we send it.`,
            },
          ]}
        />
      </div>
    </>
  )
}

function SentSummary({ stored }: { stored: Stored }) {
  const { t } = useLingui()
  const amount = amountOf(stored.amount, stored.currency)
  const arrives = amountOf(stored.arrives, stored.currency)
  return (
    <MoneySummary
      look="wide"
      lines={[
        { label: t`Reference`, value: stored.reference },
        { label: t`From`, value: accountNumberText(stored.account) },
        { label: t`Bank account`, value: t`${stored.bank}, ending\u00a0${stored.ending}` },
        { label: t`You withdraw`, value: <Money amount={amount} /> },
        { label: t`Fee`, value: <Money amount={subtract(amount, arrives)} /> },
      ]}
      total={{ label: t`You receive`, value: <Money amount={arrives} size="step" /> }}
    />
  )
}

function amountOf(decimal: string, currency: Currency) {
  return money(minorOf(decimal) ?? 0n, currency)
}
