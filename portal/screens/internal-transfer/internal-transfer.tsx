import { useLingui, Trans } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { portalPaths } from '#contract/portal-paths.ts'
import { currencies, type Money as Amount, money } from '#rules/money.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Money, moneyText, MoneySummary } from '#ui/money/money.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { FailedResult } from '../../funding/failed-result.tsx'
import { TransferWizard } from './transfer-wizard.tsx'
import { accountNumberText } from '../../funding/accounts.ts'
import { useStoredResult } from '../../funding/stored-request.ts'
import { MissingResult } from '../../funding/missing-result.tsx'
import { ReceivedHeader } from '../../funding/received-header.tsx'
import { TransferNextSteps } from './transfer-next-steps.tsx'
import { RateText } from './rate-line.tsx'

/** The last step is in the URL, so that a reload shows it again. */
const addressSchema = z.object({ result: z.optional(z.enum(['success', 'failed'])) })

/** Internal Transfer between own accounts (requirements 10.1). */
export default function InternalTransfer() {
  const { t } = useLingui()
  const [{ result }] = useUrlState(addressSchema)
  if (result === 'success') return <TransferSuccess />
  if (result === 'failed')
    return (
      <FailedResult
        at="transfer"
        page={t`Internal transfer`}
        title={t`TRANSFER FAILED!`}
        again={portalPaths.internalTransfer}
        means={t`No money was moved.`}
      />
    )
  return <TransferWizard />
}

const minor = z.string().check(z.regex(/^\d{1,18}$/))
const storedTransfer = z.object({
  id: z.string(),
  reference: z.string(),
  amount: minor,
  currency: z.enum(currencies),
  arrives: minor,
  arrivesCurrency: z.enum(currencies),
  source: z.string(),
  destination: z.string(),
  rate: z.string(),
  at: z.int(),
})
type StoredTransfer = z.output<typeof storedTransfer>

/** SUCCESS: the transfer waits for approval (requirements 10.1). */
function TransferSuccess() {
  const { t, i18n } = useLingui()
  const stored = useStoredResult('transfer', storedTransfer)
  useWindowTitle(t`Internal transfer`)
  if (!stored) return <MissingResult list="transfers" />
  const amount = money(BigInt(stored.amount), stored.currency)
  const arrives = money(BigInt(stored.arrives), stored.arrivesCurrency)
  const [from, to] = [accountNumberText(stored.source), accountNumberText(stored.destination)]
  return (
    <>
      <ReceivedHeader mark={t`Request received`} title={t`Your transfer is awaiting approval`}>
        <Trans>
          {moneyText(amount, i18n.locale)} is set aside in {from}. After approval, {moneyText(arrives, i18n.locale)}{' '}
          will be credited to {to}.
        </Trans>
      </ReceivedHeader>
      <div className="with-slip">
        <div>
          <SentSummary stored={stored} amount={amount} arrives={arrives} />
          <div className="result-commands">
            <ButtonLink kind="primary" href={portalPaths.history('transfers', stored.id)}>
              <Trans>Transactions History</Trans>
            </ButtonLink>
            <ButtonLink href={portalPaths.internalTransfer}>{t`New transfer`}</ButtonLink>
          </div>
        </div>
        <TransferNextSteps destination={stored.destination} requested={{ id: stored.id, at: new Date(stored.at) }} />
      </div>
    </>
  )
}

function SentSummary({ stored, amount, arrives }: { stored: StoredTransfer; amount: Amount; arrives: Amount }) {
  const { t } = useLingui()
  return (
    <MoneySummary
      look="wide"
      lines={[
        { label: t`Reference`, value: stored.reference },
        { label: t`From`, value: accountNumberText(stored.source) },
        { label: t`To`, value: accountNumberText(stored.destination) },
        { label: t`You transfer`, value: <Money amount={amount} /> },
        ...(amount.currency === arrives.currency
          ? []
          : [
              {
                label: t`Rate`,
                value: <RateText amount={amount} shown={{ rate: stored.rate, arrives, until: null }} />,
              },
            ]),
      ]}
      total={{ label: t`Credited amount`, value: <Money amount={arrives} size="step" /> }}
    />
  )
}
