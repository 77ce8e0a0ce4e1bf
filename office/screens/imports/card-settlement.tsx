import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getBankLine, listBankLines, proposeSettlement, type BankLine } from '#contract/office/bank-lines.ts'
import { grossSettlement } from '#rules/deposits.ts'
import { minorOf } from '#rules/money.ts'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { Button } from '#ui/forms/button.tsx'
import { Money, moneyText, Totals } from '#ui/money/money.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

/** A proposed or confirmed settlement; or the proposal of one, for a transaction that is still unmatched. */
export function CardSettlement({ line }: { line: BankLine }) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const { settlement } = line
  if (settlement)
    return (
      <RecordSection title={<Trans>Card settlement</Trans>}>
        <div className="stack">
          <SettlementTotals line={line} fee={settlement.fee} />
          <p className="muted">{t`Proposed by ${settlement.proposedBy.name}.`}</p>
        </div>
      </RecordSection>
    )
  const proposal = line.verbs.find(({ verb }) => verb === 'proposeSettlement')
  if (!proposal || proposal.refusal?.code === 'wrong-role') return null
  return (
    <RecordSection title={<Trans>Card settlement</Trans>}>
      <div className="stack">
        <p className="muted">
          <Trans>Money from the card provider is client money. Do not propose it as firm money.</Trans>
        </p>
        <Button
          size="small"
          disabledReason={proposal.refusal?.text}
          onClick={() => setAsking(true)}
        >{t`Propose as card settlement…`}</Button>
      </div>
      {asking && <ProposalDialog line={line} onClose={() => setAsking(false)} />}
    </RecordSection>
  )
}

/** What the provider settled, what it withheld, and what arrived at the bank. */
export function SettlementTotals({ line: { amount, currency }, fee }: { line: BankLine; fee: bigint }) {
  const gross = grossSettlement({ net: amount, fee })
  return (
    <Totals
      rows={[
        {
          label:
            gross < 0n ? (
              <Trans>Refunds and chargebacks</Trans>
            ) : (
              <Trans>Card payments less refunds and chargebacks</Trans>
            ),
          value: <Money amount={{ minor: gross, currency }} />,
        },
        { label: <Trans>Card provider’s charges</Trans>, value: <Money amount={{ minor: -fee, currency }} /> },
      ]}
      total={{
        label: amount < 0n ? <Trans>Debited</Trans> : <Trans>Arrived</Trans>,
        value: <Money amount={{ minor: amount, currency }} />,
      }}
    />
  )
}

/** The charges of the provider's settlement report, and what it settled with them. */
function ProposalDialog({ line, onClose }: { line: BankLine; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const [fee, setFee] = useState('')
  const { id, version, amount, currency } = line
  return (
    <ActionDialog
      endpoint={proposeSettlement}
      input={(reason) => ({ id, version, fee, reason })}
      refreshes={[getBankLine, listBankLines]}
      done={t`Proposed. Another person must confirm it before it is posted.`}
      fields={['fee']}
      title={<Trans>Propose {moneyText({ minor: amount, currency }, i18n.locale)} as card settlement</Trans>}
      command={<Trans>Propose</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{t`Enter the charges shown in the card provider’s settlement report, or 0. The firm bears them.`}</p>
          <AmountField
            size="line"
            label={t`Charges`}
            currency={currency}
            value={fee}
            error={errors['fee']}
            onValue={setFee}
          />
          <SettlementTotals line={line} fee={minorOf(fee) ?? 0n} />
        </>
      )}
    </ActionDialog>
  )
}
