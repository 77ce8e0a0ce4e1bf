import { IconBell } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { listNotifications, readNotifications } from '#contract/notifications.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { lazyPart } from '#ui/loading/lazy.tsx'
import './notification-bell.css'

const pollMs = 60_000

const BellList = lazyPart(async () => (await import('./notification-list.tsx')).NotificationList)

/** The bell, with a dot while there are unread notices. Its list includes the toasts of this visit. */
export default function NotificationBell() {
  const { t } = useLingui()
  const bell = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<boolean | null>(null)
  const { data } = useEndpoint(listNotifications, {}, { pollMs })
  const read = useEndpointMutation(readNotifications, { refreshes: [listNotifications] })
  const unread = data?.unread ?? 0
  const show = (isOpen: boolean) => setOpen(isOpen)
  return (
    <>
      <button
        ref={bell}
        type="button"
        className="icon-button"
        aria-label={unread > 0 ? t`Notifications, ${unread} new` : t`Notifications`}
        aria-haspopup="dialog"
        aria-expanded={open === true}
        onClick={() => show(open !== true)}
      >
        <IconBell aria-hidden="true" />
        {unread > 0 && <span className="bell-dot" />}
      </button>
      {open !== null && (
        <BellList
          bell={bell}
          isOpen={open}
          onOpenChange={show}
          notices={data?.notices}
          unread={unread}
          onRead={(id) => read.mutate(id === null ? { all: true } : { ids: [id] })}
        />
      )}
    </>
  )
}
