import { Plural, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Check } from '#contract/office/briefs.ts'
import { clientFlagLabels } from '#contract/office/flag-labels.ts'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { Checklist, type ChecklistRow } from '#ui/data/checklist.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { codeAsText } from '../../records/work-item-labels.ts'

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
  const title = useClientCheckTitle()
  const { failed, noted, passed } = found ?? noChecks
  const isReading = !found && !error
  const rows: ChecklistRow[] = [
    ...(error && !found ? [{ tone: 'bad', title: t`The checks could not be read.` } as const] : []),
    ...failed,
    ...checks.filter(isWarning).map((check): ChecklistRow => ({ tone: 'wait', title: title(check) })),
    ...noted,
    ...checks.filter(isNotice).map((check): ChecklistRow => ({ tone: 'plain', title: title(check) })),
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

const isNotice = ({ code }: Check) => code === 'other-requests'
const isWarning = (check: Check) => !isNotice(check)

/** Returns a function that returns the title of a warning or notice from the client's data. */
function useClientCheckTitle(): (check: Check) => ReactNode {
  const { t } = useLingui()
  const flag = useLabels(clientFlagLabels)
  return ({ code, ours }) => {
    if (code === 'country-risk') return t`Country of residence: risk level ${ours ?? '–'}`
    if (code.startsWith('flag-')) return t`Flag: ${flag(ours ?? '')}`
    if (code !== 'other-requests') return codeAsText(code)
    return (
      <Plural
        value={Number(ours)}
        one="# other pending request of this client"
        other="# other pending requests of this client"
      />
    )
  }
}
