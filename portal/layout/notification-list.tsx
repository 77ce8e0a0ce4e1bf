import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listNotifications } from '#contract/notifications.ts'
import { AriaLanguage } from '#ui/i18n/aria-language.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { type Toast, useToasts } from '#ui/feedback/toasts.tsx'
import { Time } from '#ui/text/time.tsx'
import '#ui/overlays/popover.css'
import './notification-bell.css'

interface BellListProps {
  /** The bell, below which the list is positioned. */
  bell: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  notices: ResponseOf<typeof listNotifications>['notices'] | undefined
  unread: number
  /**
   * Called with the followed notice, or with null when all are marked as read. Opening the list marks nothing as read.
   */
  onRead: (id: string | null) => void
}

/** The list of the bell: newest first, unread ones in bold, each links to its record. */
export function NotificationList({ bell, isOpen, onOpenChange, notices, unread, onRead }: BellListProps) {
  const { t } = useLingui()
  const entries = entriesOf(notices ?? [], useToasts())
  return (
    <AriaLanguage>
      <Popover
        triggerRef={bell}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        className="floating bell-list"
        placement="bottom end"
      >
        <Dialog aria-label={t`Notifications`}>
          <p className="bell-head">
            <b className="strong">{t`Notifications`}</b>
            {unread > 0 && (
              <>
                <span className="muted size-13 grow">
                  <Plural value={unread} one="# new" other="# new" />
                </span>
                <button type="button" className="text-button size-13" onClick={() => onRead(null)}>
                  <Trans>Mark all as read</Trans>
                </button>
              </>
            )}
          </p>
          {notices && entries.length === 0 && (
            <p className="bell-none muted size-14">
              <Trans>No notifications yet. Updates on your requests will appear here.</Trans>
            </p>
          )}
          <ul>
            {entries.map((entry) => (
              <li key={entry.id} className={entry.read ? undefined : 'unread'}>
                {entry.link ? (
                  <Link
                    href={entry.link}
                    onClick={() => {
                      if (!entry.read) onRead(entry.id)
                      onOpenChange(false)
                    }}
                  >
                    {entry.text}
                  </Link>
                ) : (
                  <span>{entry.text}</span>
                )}
                <span className="muted size-13">
                  <Time at={entry.at} />
                </span>
              </li>
            ))}
          </ul>
        </Dialog>
      </Popover>
    </AriaLanguage>
  )
}

interface Entry {
  id: string
  text: ReactNode
  at: Date
  read: boolean
  link: string | null
}

/** Returns decisions of the firm and toasts of this visit in one list by time. */
function entriesOf(notices: ResponseOf<typeof listNotifications>['notices'], toasts: readonly Toast[]): Entry[] {
  const toastEntries = toasts.map(({ id, text, at }) => ({
    id: `told-${id}`,
    text: text(),
    at,
    read: true,
    link: null,
  }))
  return [...notices, ...toastEntries].toSorted((one, other) => other.at.getTime() - one.at.getTime())
}
