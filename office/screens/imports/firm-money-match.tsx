import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { getBankLine, type BankLine } from '#contract/office/bank-lines.ts'
import { proposeFirmMoney } from '#contract/office/firm-money.ts'
import { officePaths } from '#contract/office-paths.ts'
import { decimalOf } from '#rules/money.ts'
import { Button } from '#ui/forms/button.tsx'
import { moneyText } from '#ui/money/money.tsx'
import { RecordSection } from '../../decision/client-facts.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { useStoppedReason } from '../../records/stopped-reason.ts'
import { useMayDo } from '../../session.ts'

/** Says that a line is the firm's own money, in or out: another person confirms. */
export function FirmMoneyMatch({ line }: { line: BankLine }) {
  const { t, i18n } = useLingui()
  const [, navigate] = useLocation()
  const [asking, setAsking] = useState(false)
  const { id, amount, currency } = line
  const stopped = useStoppedReason('payouts')
  if (!useMayDo('proposeFirmMoney')) return null
  return (
    <RecordSection title={<Trans>Not client money</Trans>}>
      <Button size="small" disabledReason={stopped} onClick={() => setAsking(true)}>
        <Trans>Record as firm money…</Trans>
      </Button>
      {asking && (
        <ActionDialog
          endpoint={proposeFirmMoney}
          input={(reason) => ({ amount: decimalOf(amount), currency, reason, lineId: id })}
          refreshes={[getBankLine]}
          done={t`Proposed. Another person must confirm it before it is posted.`}
          title={<Trans>Record {moneyText({ minor: amount, currency }, i18n.locale)} as firm money</Trans>}
          command={<Trans>Propose</Trans>}
          onClose={() => setAsking(false)}
          onDone={(answer) => navigate(officePaths.firmMoney(answer.id))}
        >
          <p>
            <Trans>After another person confirms it, it counts as firm money.</Trans>
          </p>
        </ActionDialog>
      )}
    </RecordSection>
  )
}
