import { IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './funding.css'

/** The head of a success step: what was received and, in one sentence, what it means. */
export function ReceivedHeader({ mark, title, children }: { mark: string; title: string; children: ReactNode }) {
  return (
    <header className="page-header">
      <div role="status">
        <p className="received-mark capitals tone-ok">
          <IconCircleCheckFilled aria-hidden="true" />
          {mark}
        </p>
        <h1>{title}</h1>
        <p>{children}</p>
      </div>
    </header>
  )
}
