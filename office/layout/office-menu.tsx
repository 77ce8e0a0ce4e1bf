import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useSearch } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { inboxCounts } from '#contract/office/inbox.ts'
import { failedMax } from '#contract/office/failed-count.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { useStaff } from '../session.ts'
import { inboxIcon as InboxIcon, type MenuEntry, overviewIcon as OverviewIcon, useMenuGroups } from './menu-entries.tsx'
import './office-menu.css'

/** The stream of changes updates the counts; polling covers its outages. */
const pollMs = 60_000

/** 200 px wide; only icons below 1280 px, with names as tooltips; a drawer below 1024 px. */
export function OfficeMenu({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <nav className="office-menu" aria-label={t`Menu`}>
      <MenuContent path={path} />
    </nav>
  )
}

export function MenuContent({ path }: { path: string }) {
  const { t } = useLingui()
  const { reads } = useStaff()
  const groups = useMenuGroups()
  const search = useSearch()
  const { data } = useEndpoint(inboxCounts, {}, { pollMs })
  const list = new URLSearchParams(search).get('list') ?? ''
  const current = (entry: MenuEntry) => {
    const base = entry.href.split('?')[0] ?? entry.href
    const here = path === base || path.startsWith(`${base}/`)
    return here && (entry.list === undefined || entry.list === list)
  }
  return (
    <>
      <Entry
        href={officePaths.overview}
        label={t`Overview`}
        current={path === officePaths.overview}
        icon={<OverviewIcon aria-hidden="true" />}
        open={undefined}
        late={0}
      />
      <Entry
        href={officePaths.inbox}
        label={t`Inbox`}
        current={path.startsWith(officePaths.inbox)}
        icon={<InboxIcon aria-hidden="true" />}
        open={data?.all}
        late={data?.late ?? 0}
      />
      {groups.map((group) => {
        const entries = group.entries.filter((entry) => reads.includes(entry.area))
        return entries.length === 0 ? null : (
          <div key={group.title}>
            <p className="office-menu-group">{group.title}</p>
            {entries.map((entry) => {
              const { open, late } = countOf(entry.kinds, data?.kinds)
              return (
                <Entry
                  key={entry.href}
                  href={entry.href}
                  label={entry.label}
                  icon={<entry.icon aria-hidden="true" />}
                  current={current(entry)}
                  open={(entry.countsFailed && failedText(data?.failedOperations)) ?? open}
                  late={late}
                />
              )
            })}
          </div>
        )
      })}
    </>
  )
}

interface EntryProps {
  href: string
  label: string
  icon: ReactNode
  current: boolean
  open: ReactNode
  late: number
}

function Entry({ href, label, icon, current, open, late }: EntryProps) {
  const { t } = useLingui()
  return (
    <Link href={href} className="office-menu-entry" title={label} aria-current={current ? 'page' : undefined}>
      {icon}
      <span className="office-menu-label">{label}</span>
      {open !== undefined && (
        <span
          className={late > 0 ? 'office-menu-count late' : 'office-menu-count'}
          title={late > 0 ? t`${late} overdue` : undefined}
        >
          {late > 0 && <IconAlertTriangleFilled className="small" aria-label={t`overdue`} />}
          {open}
        </span>
      )}
    </Link>
  )
}

/** Returns the number of failed operations, undefined if it is not known. */
function failedText(failed: number | null | undefined): string | undefined {
  if (failed === null || failed === undefined) return undefined
  return failed > failedMax ? `${failedMax}+` : String(failed)
}

function countOf(
  kinds: readonly WorkItemKind[] | undefined,
  counts: readonly { kind: WorkItemKind; open: number; late: number }[] | undefined,
): { open: number | undefined; late: number } {
  if (!kinds || !counts) return { open: undefined, late: 0 }
  const own = counts.filter((count) => kinds.includes(count.kind))
  return {
    open: own.reduce((sum, count) => sum + count.open, 0),
    late: own.reduce((sum, count) => sum + count.late, 0),
  }
}
