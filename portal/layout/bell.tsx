import { IconBell } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { listNotices, readNotices } from '#contract/notices.ts'
import { useEndpoint, useVerb } from '#ui/endpoint-query.ts'
import { Link } from '#ui/link.tsx'
import { Time } from '#ui/time.tsx'
import '#ui/floating.css'
import './bell.css'

const pollMs = 60_000

/** The bell: newest first, unread in weight, each leads to its record. */
export default function Bell() {
  const { t } = useLingui()
  const { data } = useEndpoint(listNotices, {}, { pollMs })
  const read = useVerb(readNotices, { refreshes: [listNotices] })
  const unread = data?.unread ?? 0
  return (
    <DialogTrigger onOpenChange={(open) => !open && unread > 0 && read.mutate({ all: true })}>
      <Button className="icon-button" aria-label={unread > 0 ? t`Notifications, ${unread} new` : t`Notifications`}>
        <IconBell aria-hidden="true" />
        {unread > 0 && <span className="bell-dot" />}
      </Button>
      <Popover className="floating bell-list" placement="bottom end">
        <Dialog aria-label={t`Notifications`}>
          {({ close }) => (
            <>
              <p className="bell-head">
                <b className="strong">
                  <Trans>Notifications</Trans>
                </b>
                {unread > 0 && (
                  <span className="muted size-13">
                    <Plural value={unread} one="# new" other="# new" />
                  </span>
                )}
              </p>
              {data?.notices.length === 0 && (
                <p className="bell-none muted size-14">
                  <Trans>Nothing yet. What happens to your requests appears here.</Trans>
                </p>
              )}
              <ul>
                {data?.notices.map((notice) => (
                  <li key={notice.id} className={notice.read ? undefined : 'unread'}>
                    {notice.link ? (
                      <Link href={notice.link} onClick={close}>
                        {notice.text}
                      </Link>
                    ) : (
                      <span>{notice.text}</span>
                    )}
                    <span className="muted size-13">
                      <Time at={notice.at} />
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
