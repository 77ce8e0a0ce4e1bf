import { IconUserPlus } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSearch } from 'wouter'
import * as z from 'zod/mini'
import {
  listStaff,
  type StaffMember,
  listStaffChanges,
  getStaffMember,
  approveStaffChange,
  cancelStaffChange,
  getStaffChange,
  rejectStaffChange,
} from '#contract/office/staff.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useUrlState, changeQuery } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { SentenceSkeleton, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { FilterSelect } from '#ui/forms/select.tsx'
import { Time } from '#ui/text/time.tsx'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { useListFilters } from '../../records/list-filters.ts'
import { StatusFilter } from '../../records/list-tools.tsx'
import { type ListColumn, RecordList } from '../../records/record-list.tsx'
import { useStateLabel } from '../../records/value-names.ts'
import { AbsenceLine } from '../../records/absence.tsx'
import { useCanDo } from '../../session.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { StaffDrawer } from './staff-drawer.tsx'
import { StaffState } from './staff-state.tsx'
import { staffRoles } from '#rules/actors.ts'
import { staffMachine } from '#rules/staff.ts'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'
import './staff.css'
import type { ResponseOf } from '#contract/endpoint.ts'
import { SecondApproval, useChangeLabels } from '../../records/second-approval.tsx'

const address = z.object({
  person: z.optional(z.string()),
  change: z.optional(z.string()),
  role: z.catch(z.optional(z.enum(staffRoles)), undefined),
})

/** All staff; no one may change their own permissions, and the last administrator cannot be removed. */
export default function Staff() {
  const { t } = useLingui()
  const [{ person, role }, setAddress] = useUrlState(address)
  const invites = useCanDo('inviteStaff')
  const [open, setOpen] = useFormFromUrl(invites ? ['invite'] : [])
  const roleWord = useRoleLabels()
  const filters = useListFilters({ states: staffMachine.states, sorts: ['name'], direction: 'asc', own: { role } })
  const changes = useEndpoint(listStaffChanges, {})
  const listed = useEndpoint(listStaff, filters.query, { keepLast: true })
  // Pending changes are above the list: neither is shown before both are known, so that nothing moves.
  const data = changes.data || changes.error ? listed.data : undefined
  // A person named by a link is shown whatever the filters are.
  const { data: one } = useEndpoint(getStaffMember, { id: person ?? '' }, { enabled: person !== undefined })
  const chosen = data?.rows.find((row) => row.id === person) ?? (one?.staff.id === person ? one?.staff : undefined)
  const columns = useStaffColumns()
  const stateWord = useStateLabel()
  const search = useSearch()
  return (
    <OfficePage>
      <PageHeader
        title={t`Staff`}
        action={
          invites && (
            <Button
              kind="primary"
              icon={<IconUserPlus className="small" aria-hidden="true" />}
              onClick={() => setOpen('invite')}
            >
              <Trans>Invite…</Trans>
            </Button>
          )
        }
      >
        {data ? (
          <Plural
            value={data.activeAdministrators}
            one="# active administrator. You need a second one before you can invite staff or change roles."
            other="# active administrators. A second administrator must approve invitations and role changes."
          />
        ) : (
          !listed.error && <SentenceSkeleton />
        )}
      </PageHeader>
      <div className="stack-6">
        <RoleChanges changes={changes} />
        <div>
          <RecordList
            list="staff"
            path={officePaths.staff}
            caption={t`Staff`}
            filters={filters}
            search={t`Name or email`}
            days={null}
            own={
              <>
                <StatusFilter
                  filters={filters}
                  states={staffMachine.states}
                  word={(one) => stateWord('staff', one)}
                  standard={t`Any status`}
                />
                <FilterSelect
                  label={t`Role`}
                  all={t`Any role`}
                  value={role}
                  options={staffRoles.map((one) => ({ value: one, label: roleWord(one) }))}
                  onValue={(next) => filters.set({ role: next })}
                />
              </>
            }
            columns={columns}
            rowKey={(row) => row.id}
            rowHref={(row) => officePaths.staff + changeQuery(search, { person: row.id })}
            selectedKey={person ?? null}
            read={{ ...listed, data }}
            empty={t`No results for these filters.`}
            busy={listed.isFetching}
          />
        </div>
      </div>
      {chosen && <StaffDrawer key={chosen.id} member={chosen} onClose={() => setAddress({ person: undefined })} />}
      {open && <InviteDialog onClose={() => setOpen(null)} />}
    </OfficePage>
  )
}

/** Returns the columns of the list of staff. */
function useStaffColumns(): ListColumn<StaffMember>[] {
  const { t } = useLingui()
  const roleWord = useRoleLabels()
  return [
    { key: 'name', head: t`Name`, phone: 'title', cell: (row) => <Name row={row} /> },
    { key: 'email', head: t`Email`, phone: 'time', cell: (row) => <span className="muted">{row.email}</span> },
    { key: 'roles', head: t`Roles`, cell: (row) => row.roles.map(roleWord).join(', ') },
    {
      key: 'factor',
      head: t`2FA`,
      cell: (row) => (
        <span className={row.secondFactor ? 'unbroken' : 'unbroken tone-wait'}>
          {row.secondFactor ? t`Set up` : t`Not yet`}
        </span>
      ),
    },
    { key: 'lastSignIn', head: t`Last sign-in`, wideOnly: true, cell: (row) => <Time at={row.lastSignInAt} /> },
    { key: 'state', head: t`Status`, phone: 'status', cell: (row) => <StaffState state={row.state} /> },
    {
      key: 'permissions',
      head: t`Permissions`,
      phone: 'figure',
      cell: (row) =>
        row.self ? (
          <span className="muted staff-own">{t`You cannot change your own roles.`}</span>
        ) : row.pending ? (
          <span className="tag wait">{row.pending.invites === null ? t`change pending` : t`invitation pending`}</span>
        ) : row.pausedReports.length > 0 ? (
          <span className="tag wait">
            <Plural value={row.pausedReports.length} one="# report paused" other="# reports paused" />
          </span>
        ) : null,
    },
  ]
}

function Name({ row }: { row: StaffMember }) {
  const { t } = useLingui()
  return (
    <>
      <b className="strong">
        {row.name} {row.self && <span className="tag brand staff-self">{t`you`}</span>}
      </b>
      <AbsenceLine absence={row.absence} />
    </>
  )
}

type Change = ResponseOf<typeof listStaffChanges>['rows'][number]

interface ChangesProps {
  changes: ReturnType<typeof useEndpoint<typeof listStaffChanges>>
}

/** Pending changes of roles and invitations; approved neither by their proposer nor by the person concerned. */
function RoleChanges({ changes: { data, error, refetch } }: ChangesProps) {
  if (error && !data)
    return (
      <section className="sheet">
        <ErrorPanel failure={error} onRetry={() => void refetch()} />
      </section>
    )
  const waiting = data?.rows.filter(({ state }) => state === 'pending') ?? []
  return waiting.map((change) => <WaitingChange key={change.id} change={change} />)
}

function WaitingChange({ change }: { change: Change }) {
  const { t } = useLingui()
  const read = useEndpoint(getStaffChange, { id: change.id })
  const { invites: email } = change
  const words = useChangeLabels({
    title: email === null ? t`Approve roles of ${change.staff.name}` : t`Approve invitation of ${change.staff.name}`,
    done: email === null ? t`The roles have taken effect.` : t`We have sent the invitation to ${email}.`,
    look: <RoleDifference change={change} />,
  })
  return (
    <section className="sheet">
      <header>
        <h2>
          {email === null ? (
            <Trans>Roles of {change.staff.name}</Trans>
          ) : (
            <Trans>Invitation of {change.staff.name}</Trans>
          )}
        </h2>
        <span className="muted">
          <Trans>
            Requested by {change.by.name} on <Time at={change.at} />
          </Trans>
        </span>
      </header>
      <div className="padded stack-2">
        <RoleDifference change={change} />
        <p className="muted">{change.reason}</p>
        <SecondApproval
          proposal={change}
          verbs={read.data?.change.verbs}
          read={read}
          approve={approveStaffChange}
          reject={rejectStaffChange}
          cancel={cancelStaffChange}
          refreshes={[listStaffChanges, listStaff, getStaffChange]}
          words={words}
          danger="reject"
        />
      </div>
    </section>
  )
}

function RoleDifference({ change }: { change: Change }) {
  const word = useRoleLabels()
  const roles = <b className="strong">{change.to.map(word).join(', ')}</b>
  if (change.invites !== null)
    return (
      <p>
        {change.invites}: {roles}
      </p>
    )
  return (
    <p>
      <del className="muted">{change.from.map(word).join(', ') || '–'}</del> → {roles}
    </p>
  )
}
