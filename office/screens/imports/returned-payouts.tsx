import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getBankLine, listBankLines, takeReturnedPayout, type BankLineDetails } from '#contract/office/bank-lines.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Money, moneyText, Totals } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { useCanDo } from '../../session.ts'

type Payout = BankLineDetails['payouts'][number]

/** Payouts that the transaction may return: the bank deducted charges, or gave none of our references. */
export function ReturnedPayouts({ found: { line, payouts } }: { found: BankLineDetails }) {
  if (payouts.length === 0) return null
  return (
    <RecordSection title={<Trans>Possible returned payouts</Trans>}>
      <div className="stack-6">
        <p className="muted">
          <Trans>A returned payout credits the full amount to the client. A deposit would credit it twice.</Trans>
        </p>
        {payouts.map((payout) => (
          <ReturnedPayout key={payout.withdrawalId} line={line} payout={payout} />
        ))}
      </div>
    </RecordSection>
  )
}

function ReturnedPayout({ line, payout }: { line: BankLineDetails['line']; payout: Payout }) {
  const { t } = useLingui()
  const [taking, setTaking] = useState(false)
  const { currency } = line
  const { withdrawalId, reference, client, state, sent, charge, refusal } = payout
  const decides = line.verbs.some(({ verb, refusal: no }) => verb === 'comeBack' && no === null)
  return (
    <div className="stack-2">
      <div className="row between wrap">
        <span>
          <Link href={officePaths.withdrawal(withdrawalId)}>
            <Codes>{reference}</Codes>
          </Link>{' '}
          · {client.name}
        </span>
        <StatusBadge record="withdrawal" state={state} />
      </div>
      <Totals
        rows={[
          { label: <Trans>Sent</Trans>, value: <Money amount={{ minor: sent, currency }} /> },
          { label: <Trans>Bank charges deducted</Trans>, value: <Money amount={{ minor: -charge, currency }} /> },
        ]}
        total={{ label: <Trans>Arrived</Trans>, value: <Money amount={{ minor: line.amount, currency }} /> }}
      />
      {refusal && <p className="muted">{refusal.text}</p>}
      {!refusal && !decides && <p className="muted">{t`Finance matches the transaction to this payout.`}</p>}
      {!refusal && decides && (
        <div>
          <Button size="small" onClick={() => setTaking(true)}>{t`Match to this payout…`}</Button>
        </div>
      )}
      {taking && <MatchPayoutDialog line={line} payout={payout} onClose={() => setTaking(false)} />}
    </div>
  )
}

function MatchPayoutDialog({
  line,
  payout,
  onClose,
}: {
  line: BankLineDetails['line']
  payout: Payout
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const { id, version, currency } = line
  const { withdrawalId, reference, charge } = payout
  const kept = moneyText({ minor: charge, currency }, i18n.locale)
  return (
    <ActionDialog
      endpoint={takeReturnedPayout}
      input={(reason) => ({ id, version, withdrawalId, reason })}
      refreshes={[getBankLine, listBankLines]}
      done={t`Matched to the returned payout.`}
      title={<Codes>{t`Match the transaction to ${reference}`}</Codes>}
      command={<Trans>Match</Trans>}
      onClose={onClose}
    >
      <p>
        {charge > 0n
          ? t`${kept} in bank charges is posted as a firm cost. If the client bears it, request a correction. Another person must approve it.`
          : t`The return has already been posted. No more money moves.`}
      </p>
    </ActionDialog>
  )
}

/** Returns the result of the transaction: a link to it, and the way to correct the client's share of the charges. */
export function useMatchRows({ line, deposit, withdrawal }: BankLineDetails) {
  const { t } = useLingui()
  const asks = useCanDo('askCorrection')
  const charge = withdrawal?.charge ?? 0n
  return [
    deposit !== null && {
      key: t`Matched to`,
      value: (
        <Link href={officePaths.deposit(deposit.id)}>
          <Codes>{deposit.reference}</Codes>
        </Link>
      ),
    },
    withdrawal !== null && {
      key: line.amount < 0n ? t`Payout` : t`Returned payout`,
      value: (
        <Link href={officePaths.withdrawal(withdrawal.id)}>
          <Codes>{withdrawal.reference}</Codes>
        </Link>
      ),
    },
    line.amount < 0n &&
      charge > 0n && {
        key: t`More than the amount sent`,
        value: <Money amount={{ minor: charge, currency: line.currency }} />,
      },
    withdrawal !== null &&
      line.amount > 0n &&
      charge > 0n && {
        key: t`Bank charges deducted`,
        value: (
          <>
            <Money amount={{ minor: charge, currency: line.currency }} />, <Trans>firm cost</Trans>
            {asks && (
              <>
                {' · '}
                <Link href={officePaths.askCorrection(withdrawal.accountNumber, -charge)}>{t`Charge the client…`}</Link>
              </>
            )}
          </>
        ),
      },
  ]
}
