import { IconUserPlus } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useSearch } from 'wouter'
import * as z from 'zod/mini'
import {
  listStaff,
  type StaffMember,
  inviteStaff,
  listStaffChanges,
  approveStaffChange,
  cancelStaffChange,
  getStaffChange,
  getStaffMember,
  rejectStaffChange,
} from '#contract/office/staff.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useUrlState, withChange } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, SentenceSkeleton } from '#ui/feedback/content-states.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { FilterSelect } from '#ui/forms/select.tsx'
import { Time } from '#ui/text/time.tsx'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { useListFilters } from '../../records/list-filters.ts'
import { insteadOf, StatusFilter } from '../../records/list-tools.tsx'
import { type ListColumn, RecordList } from '../../records/record-list.tsx'
import { useStateLabel } from '../../records/value-names.ts'
import { AbsenceLine } from '../../records/absence.tsx'
import { useMayDo } from '../../session.ts'
import { StaffDrawer } from './staff-drawer.tsx'
import { StaffState } from './staff-state.tsx'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { staffMachine } from '#rules/staff.ts'
import { languages, type Language } from '#rules/choices.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { languageName } from '#ui/i18n/language.ts'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'
import { RolesField } from './roles-field.tsx'
import type { ResponseOf } from '#contract/endpoint.ts'
import { SecondApproval, useChangeLabels } from '../../records/second-approval.tsx'
import './staff.css'

const address = z.object({
  person: z.optional(z.string()),
  change: z.optional(z.string()),
  role: z.catch(z.optional(z.enum(staffRoles)), undefined),
})

/** All staff; no one may change their own permissions, and the last administrator cannot be removed. */
export default function Staff() {
  const { t } = useLingui()
  const [{ person, role }, setAddress] = useUrlState(address)
  const invites = useMayDo('inviteStaff')
  const [open, setOpen] = useFormFromUrl(invites ? ['invite'] : [])
  const roleWord = useRoleLabels()
  const filters = useListFilters({ states: staffMachine.states, sorts: ['name'], direction: 'asc', own: { role } })
  const changes = useEndpoint(listStaffChanges, {})
  const { data: listed, error, isFetching, refetch } = useEndpoint(listStaff, filters.query, { keepLast: true })
  // Pending changes are above the list: neither is shown before both are known, so that nothing moves.
  const data = changes.data || changes.error ? listed : undefined
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
            one="# active administrator. You need a second one before roles can change."
            other="# active administrators. A second administrator must approve role changes."
          />
        ) : (
          !error && <SentenceSkeleton />
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
            file={{ list: 'staff' }}
            columns={columns}
            rows={data?.rows ?? []}
            rowKey={(row) => row.id}
            rowHref={(row) => officePaths.staff + withChange(search, { person: row.id })}
            selectedKey={person ?? null}
            instead={insteadOf({ data, error, refetch }, filters, t`No results for these filters.`)}
            busy={isFetching}
            next={data?.next}
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
          <span className="tag wait">{t`change pending`}</span>
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

/**
 * Sends an email with a link for password and second factor; the administrator role waits for a second administrator.
 */
function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<StaffRole[]>([])
  const [language, setLanguage] = useState<Language>('en')
  return (
    <ActionDialog
      endpoint={inviteStaff}
      input={(reason) => ({ name, email, roles, language, reason })}
      refreshes={[listStaff, listStaffChanges]}
      done={
        roles.includes('administrator')
          ? t`A second administrator must approve the invitation before it is sent.`
          : t`We have sent the invitation to ${email}.`
      }
      fields={['name', 'email', 'roles']}
      title={<Trans>Invite staff</Trans>}
      command={<Trans>Invite</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            label={t`Name`}
            autoComplete="off"
            value={name}
            error={errors['name']}
            onChange={(event) => setName(event.target.value)}
          />
          <TextField
            label={t`Email`}
            type="email"
            autoComplete="off"
            value={email}
            error={errors['email']}
            onChange={(event) => setEmail(event.target.value)}
          />
          <RolesField roles={roles} onRoles={setRoles} error={errors['roles']} />
          <RadioCards
            label={t`Language`}
            across={2}
            value={language}
            onValue={setLanguage}
            tiles={languages.map((one) => ({ value: one, label: languageName(one, i18n.locale) }))}
          />
        </>
      )}
    </ActionDialog>
  )
}

type Change = ResponseOf<typeof listStaffChanges>['rows'][number]

interface ChangesProps {
  changes: ReturnType<typeof useEndpoint<typeof listStaffChanges>>
}

/** Pending changes of roles; approved neither by their proposer nor by the person concerned. */
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
  const words = useChangeLabels({
    title: t`Approve roles of ${change.staff.name}`,
    done: t`The roles have taken effect.`,
    look: <RoleDifference change={change} />,
  })
  return (
    <section className="sheet">
      <header>
        <h2>
          <Trans>Roles of {change.staff.name}</Trans>
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
  return (
    <p>
      <del className="muted">{change.from.map(word).join(', ') || '–'}</del> →{' '}
      <b className="strong">{change.to.map(word).join(', ')}</b>
    </p>
  )
}
