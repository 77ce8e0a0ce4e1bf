import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBuilding,
  IconCircleCheckFilled,
  IconClockHour4,
  IconSquareRoundedXFilled,
  IconTransferOut,
  IconUserCheck,
} from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { BankLine } from '#contract/office/bank-lines.ts'
import { stateLabels } from '#contract/office/state-labels.ts'
import { StatusDisplay } from '#ui/data/status-badge.tsx'
import { useLabels } from '#ui/i18n/labels.ts'

/** Returns a function that returns the label of a bank transaction's state, which only the back office has. */
export function useLineStateLabel(): (state: BankLine['state']) => string {
  return useLabels(stateLabels)
}

const looks = {
  second_approval: { icon: IconUserCheck, tone: 'tone-wait' },
  unmatched: { icon: IconClockHour4, tone: 'tone-wait' },
  settlement_proposed: { icon: IconUserCheck, tone: 'tone-wait' },
  matched: { icon: IconCircleCheckFilled, tone: 'tone-ok' },
  sent_back: { icon: IconArrowBackUp, tone: '' },
  own_money: { icon: IconBuilding, tone: '' },
  came_back: { icon: IconArrowBackUp, tone: 'tone-ok' },
  card_settlement: { icon: IconCircleCheckFilled, tone: 'tone-ok' },
  rejected: { icon: IconSquareRoundedXFilled, tone: 'tone-bad' },
} as const

/** Who must confirm a large transaction: a finance employee who neither entered nor imported it. */
export function SecondApproverText({ line }: { line: Pick<BankLine, 'typedBy' | 'importedBy'> }) {
  const first = (line.typedBy ?? line.importedBy)?.name
  if (first === undefined)
    return <Trans>This amount needs a second approval. A finance supervisor must confirm it.</Trans>
  return <Trans>This amount needs a second approval. A finance supervisor other than {first} must confirm it.</Trans>
}

/** The state with its mark; overdue after 5 days without a match. Outgoing payments need no match. */
export function LineState({ line }: { line: BankLine }) {
  const { t } = useLingui()
  const word = useLineStateLabel()
  if (line.amount < 0n && line.state === 'unmatched')
    return <StatusDisplay icon={IconTransferOut} tone="">{t`Outgoing payment`}</StatusDisplay>
  const first = (line.typedBy ?? line.importedBy)?.name
  const late = line.overdue && line.state === 'unmatched'
  const status = late ? (
    <StatusDisplay icon={IconAlertTriangle} tone="tone-bad">{t`Unmatched for 5 days`}</StatusDisplay>
  ) : (
    <StatusDisplay {...looks[line.state]}>{word(line.state)}</StatusDisplay>
  )
  if (line.state !== 'second_approval' || first === undefined) return status
  return (
    <span className="line-waits">
      {status}
      <small className="muted">{t`Finance supervisor other than ${first}`}</small>
    </span>
  )
}
