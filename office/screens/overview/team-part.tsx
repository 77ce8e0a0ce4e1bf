import { useLingui } from '@lingui/react/macro'
import { unassigned } from '#contract/office/inbox-filter.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Table } from '#ui/data/table.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { AbsenceLine } from '../../records/absence.tsx'
import { useStaff } from '../../session.ts'
import type { Overview } from '#contract/office/overview.ts'
import { Late } from './queues-part.tsx'

type Member = NonNullable<Overview['team']>[number]

/** Each person's assigned items and decisions of today. */
export function TeamPart({ team }: { team: Overview['team'] | undefined }) {
  const { t } = useLingui()
  const { staff } = useStaff()
  const list = (assigned: string) => `${officePaths.inbox}?mine=false&assigned=${assigned}`
  const link = (member: Member) =>
    member.staff === null ? (
      <Link href={list(unassigned)}>{t`Unassigned`}</Link>
    ) : member.staff.id === staff.id ? (
      <Link href={list('me')}>{t`You`}</Link>
    ) : (
      <Link href={`${officePaths.inbox}?mine=false&colleague=${member.staff.id}`}>{member.staff.name}</Link>
    )
  const name = (member: Member) => (
    <>
      {link(member)}
      <AbsenceLine absence={member.staff?.absence ?? null} />
    </>
  )
  // People without assigned items and decisions today are omitted; the staff list has everybody.
  const rows = team?.filter((member) => member.open > 0 || (member.decided ?? 0) > 0 || member.staff?.id === staff.id)
  return (
    <section className="overview-team">
      <div className="figures-head">
        <h2>{t`Team today`}</h2>
      </div>
      <Table
        caption={t`Team today`}
        rows={rows ?? []}
        rowKey={(member) => member.staff?.id ?? unassigned}
        columns={[
          { head: t`Person`, cell: name },
          { head: t`Open`, align: 'right', cell: ({ open }) => open },
          { head: t`Overdue`, align: 'right', cell: ({ overdue }) => (overdue > 0 ? <Late>{overdue}</Late> : 0) },
          { head: t`Decided`, align: 'right', cell: ({ decided }) => decided ?? '–' },
        ]}
      />
    </section>
  )
}
