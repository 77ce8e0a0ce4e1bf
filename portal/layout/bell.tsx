import { IconBell } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import type { AnswerOf } from '#contract/endpoint.ts'
import { listNotices, readNotices } from '#contract/notices.ts'
import { useEndpoint, useVerb } from '#ui/endpoint-query.ts'
import { Link } from '#ui/link.tsx'
import { type Told, useTold } from '#ui/passing-notices.tsx'
import { Time } from '#ui/time.tsx'
import '#ui/floating.css'
import './bell.css'

const pollMs = 60_000

/** The bell: newest first, unread in weight, each leads to its record; what the portal said in passing stands there too. */
export default function Bell() {
  const { t } = useLingui()
  const { data } = useEndpoint(listNotices, {}, { pollMs })
  const read = useVerb(readNotices, { refreshes: [listNotices] })
  const unread = data?.unread ?? 0
  const entries = entriesOf(data?.notices ?? [], useTold())
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
              {data && entries.length === 0 && (
                <p className="bell-none muted size-14">
                  <Trans>Nothing yet. What happens to your requests appears here.</Trans>
                </p>
              )}
              <ul>
                {entries.map((entry) => (
                  <li key={entry.id} className={entry.read ? undefined : 'unread'}>
                    {entry.link ? (
                      <Link href={entry.link} onClick={close}>
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
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

interface Entry {
  id: string
  text: ReactNode
  at: Date
  read: boolean
  link: string | null
}

/** Decisions of the firm and passing notices of this visit in one list by time. */
function entriesOf(notices: AnswerOf<typeof listNotices>['notices'], told: readonly Told[]): Entry[] {
  const said = told.map(({ id, text, at }) => ({ id: `told-${id}`, text, at, read: true, link: null }))
  return [...notices, ...said].toSorted((one, other) => other.at.getTime() - one.at.getTime())
}
