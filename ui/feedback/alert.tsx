import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconInfoCircle,
  IconProgress,
  IconSquareRoundedXFilled,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './alert.css'

export type AlertKind = 'plain' | 'ok' | 'wait' | 'bad' | 'run'

const marks = {
  plain: IconInfoCircle,
  ok: IconCircleCheckFilled,
  wait: IconAlertTriangleFilled,
  bad: IconSquareRoundedXFilled,
  run: IconProgress,
}

interface AlertProps {
  kind?: AlertKind
  title?: ReactNode
  icon?: ReactNode
  /** An action at the end, such as a button. */
  action?: ReactNode
  children?: ReactNode
}

/** A message in the page. A `bad` one is announced immediately (role=alert), the others politely. */
export function Alert({ kind = 'plain', title, icon, action, children }: AlertProps) {
  const Mark = marks[kind]
  return (
    <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : kind === 'plain' ? undefined : 'status'}>
      {icon ?? <Mark className="small" aria-hidden="true" />}
      <div className="grow">
        {title && <p className="strong">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  )
}
