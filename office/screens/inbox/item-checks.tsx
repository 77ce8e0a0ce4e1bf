import { Plural, useLingui } from '@lingui/react/macro'
import type { Check } from '#contract/office/briefs.ts'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { Checklist, type ChecklistRow } from '#ui/data/checklist.tsx'
import { useCheckRow } from '../../decision/check-labels.tsx'

/** The results of an item's checks. */
export interface FoundChecks {
  readonly failed: readonly ChecklistRow[]
  /** Neither passed nor failed. */
  readonly noted: readonly ChecklistRow[]
  readonly passed: number
}

export const noChecks: FoundChecks = { failed: [], noted: [], passed: 0 }

interface ChecksProps {
  checks: readonly Check[]
  /** Undefined while loading. */
  found: FoundChecks | undefined
  error?: Error | null
}

/** The checks of an item, and the warnings from the client's data. */
export function ItemChecks({ checks, found, error = null }: ChecksProps) {
  const { t } = useLingui()
  const rowOf = useCheckRow(null)
  const { failed, noted, passed } = found ?? noChecks
  const isReading = !found && !error
  const rows: ChecklistRow[] = [
    ...(error && !found ? [{ tone: 'bad', title: t`The checks could not be read.` } as const] : []),
    ...failed,
    ...checks.filter(({ verdict }) => verdict !== 'ok').map(rowOf),
    ...noted,
    ...checks.filter(isNotice).map((check): ChecklistRow => ({ ...rowOf(check), tone: 'plain' })),
  ]
  if (passed > 0 && !isReading)
    rows.push({ tone: 'ok', title: <Plural value={passed} one="# passed" other="# passed" /> })
  if (rows.length === 0 && !isReading) return null
  return (
    <section aria-busy={isReading || undefined}>
      <h2 className="title-3 record-side-title">{t`Checks`}</h2>
      {rows.length > 0 && <Checklist checks={rows} />}
      {isReading && <Skeleton width={120} />}
    </section>
  )
}

/** Returns whether a check is a notice, which neither passes nor fails. */
const isNotice = ({ code, verdict }: Check) => code === 'other-requests' && verdict === 'ok'
