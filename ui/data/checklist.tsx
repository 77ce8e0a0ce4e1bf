import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconInfoCircle,
  IconSquareRoundedXFilled,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './checklist.css'

export interface ChecklistRow {
  tone: 'ok' | 'wait' | 'bad' | 'plain'
  title: ReactNode
  text?: ReactNode
}

const marks = {
  ok: IconCircleCheckFilled,
  wait: IconAlertTriangleFilled,
  bad: IconSquareRoundedXFilled,
  plain: IconInfoCircle,
}

/** The checks before a decision, one row each: passed ones quiet, doubtful ones in bold. */
export function Checklist({ checks }: { checks: readonly ChecklistRow[] }) {
  return (
    <ul className="check-list">
      {checks.map((check, index) => {
        const Mark = marks[check.tone]
        return (
          <li key={index}>
            <Mark className={`small ${check.tone === 'plain' ? 'muted' : `tone-${check.tone}`}`} aria-hidden="true" />
            <div>
              <p className={check.tone === 'ok' || check.tone === 'plain' ? undefined : 'strong'}>{check.title}</p>
              {check.text && <p className="muted">{check.text}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
