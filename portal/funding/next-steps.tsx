import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Timeline, type TimelineEntry } from '#ui/data/timeline.tsx'

interface NextStepsProps {
  entries: readonly TimelineEntry[]
  /** A note below the steps. */
  children?: ReactNode
}

/** What happens to a request, step by step. */
export function NextSteps({ entries, children }: NextStepsProps) {
  const { t } = useLingui()
  return (
    <aside className="next-steps">
      <h2 className="title-3">{t`What happens next`}</h2>
      <Timeline entries={entries} />
      {children}
    </aside>
  )
}
