import { IconCircleDashed } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { StatusMark, type StatusName } from './status-badge.tsx'
import './timeline.css'

export interface TimelineEntry {
  /** A status's mark, or an icon; omitted for a dashed ring (not happened yet). */
  mark?: StatusName | ReactNode
  title: ReactNode
  text?: ReactNode
  /** A <Time/>. */
  time?: ReactNode
}

/** Past events, newest first, or next steps, in order. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="timeline">
      {entries.map((entry, index) => (
        <li key={index}>
          <span className="timeline-mark">{markOf(entry.mark)}</span>
          <b className="strong">{entry.title}</b>
          {entry.text && <p className="muted">{entry.text}</p>}
          {entry.time && <p className="timeline-time">{entry.time}</p>}
        </li>
      ))}
    </ol>
  )
}

function markOf(mark: TimelineEntry['mark']): ReactNode {
  if (mark === undefined) return <IconCircleDashed className="small muted" aria-hidden="true" />
  return typeof mark === 'string' ? <StatusMark state={mark as StatusName} /> : mark
}
