import { useLingui } from '@lingui/react/macro'
import { unassigned } from '#contract/office/inbox-filter.ts'
import { officePaths } from '#contract/office-paths.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { Table } from '#ui/data/table.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { AbsenceLine } from '../../records/absence.tsx'
import { useCanRead, useStaff } from '../../session.ts'
import type { Overview } from '#contract/office/overview.ts'
import { Overdue } from './queues-part.tsx'

type Member = NonNullable<Overview['team']>[number]

/** Each person's assigned items and decisions of today. */
export function TeamPart({ team, at }: { team: Overview['team'] | undefined; at: Date | undefined }) {
  const { t } = useLingui()
  const { staff } = useStaff()
  const { firm } = useStaff()
  const readsAudit = useCanRead('audit')
  const list = ({ staff: of }: Member) => {
    const whose = of === null ? `assigned=${unassigned}` : of.id === staff.id ? 'assigned=me' : `colleague=${of.id}`
    return `${officePaths.inbox}?mine=false&${whose}`
  }
  const today = isoDay(dayIn(at ?? new Date(), firm.timeZone))
  const decided = ({ staff: of, decided: count }: Member) =>
    of !== null && count !== null && count > 0 && readsAudit ? (
      <Link href={`${officePaths.audit}?decisions=true&actor=${of.id}&from=${today}&to=${today}`}>{count}</Link>
    ) : (
      (count ?? '–')
    )
  const link = (member: Member) => (
    <Link href={list(member)}>
      {member.staff === null ? t`Unassigned` : member.staff.id === staff.id ? t`You` : member.staff.name}
    </Link>
  )
  const name = (member: Member) => (
    <>
      {link(member)}
      <AbsenceLine absence={member.staff?.absence ?? null} />
    </>
  )
  // People without assigned items and decisions today are omitted; the staff list has all staff.
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
          {
            head: t`Open`,
            align: 'right',
            cell: (member) => (member.open > 0 ? <Link href={list(member)}>{member.open}</Link> : 0),
          },
          {
            head: t`Overdue`,
            align: 'right',
            cell: (member) => <Overdue count={member.overdue} href={`${list(member)}&overdue=true`} />,
          },
          { head: t`Decided`, align: 'right', cell: decided },
        ]}
      />
    </section>
  )
}
