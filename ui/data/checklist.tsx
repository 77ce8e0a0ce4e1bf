import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconInfoCircle,
  IconOctagonMinus,
  IconSquareRoundedXFilled,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './checklist.css'

export interface ChecklistRow {
  tone: 'ok' | 'wait' | 'bad' | 'block' | 'plain'
  title: ReactNode
  text?: ReactNode
}

const marks = {
  ok: { Mark: IconCircleCheckFilled, colour: 'tone-ok' },
  wait: { Mark: IconAlertTriangleFilled, colour: 'tone-wait' },
  bad: { Mark: IconSquareRoundedXFilled, colour: 'tone-bad' },
  block: { Mark: IconOctagonMinus, colour: 'tone-bad' },
  plain: { Mark: IconInfoCircle, colour: 'muted' },
}

/** The checks before a decision, one row each: passed ones quiet, doubtful ones in bold. */
export function Checklist({ checks }: { checks: readonly ChecklistRow[] }) {
  return (
    <ul className="check-list">
      {checks.map((check, index) => {
        const { Mark, colour } = marks[check.tone]
        return (
          <li key={index}>
            <Mark className={`small ${colour}`} aria-hidden="true" />
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
