import { IconUserPlus } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import {
  listStaff,
  type StaffMember,
  inviteStaff,
  listStaffChanges,
  approveStaffChange,
  cancelStaffChange,
  getStaffChange,
  rejectStaffChange,
} from '#contract/office/staff.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, SentenceSkeleton } from '#ui/feedback/content-states.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { ExportButton } from '../../records/list-tools.tsx'
import { AbsenceLine } from '../../records/absence.tsx'
import { useMayDo } from '../../session.ts'
import { StaffDrawer } from './staff-drawer.tsx'
import { StaffState } from './staff-state.tsx'
import type { StaffRole } from '#rules/actors.ts'
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

const address = z.object({ person: z.optional(z.string()), change: z.optional(z.string()) })

/** All staff; no one may change their own permissions, and the last administrator cannot be removed. */
export default function Staff() {
  const { t } = useLingui()
  const [{ person }, setAddress] = useUrlState(address)
  const invites = useMayDo('inviteStaff')
  const [open, setOpen] = useFormFromUrl(invites ? ['invite'] : [])
  const roleWord = useRoleLabels()
  const { data, error, refetch } = useEndpoint(listStaff, {})
  const chosen = data?.rows.find((row) => row.id === person)
  return (
    <OfficePage>
      <PageHeader
        title={t`Staff`}
        action={
          <div className="row">
            <ExportButton list="staff" asked={{}} />
            {invites && (
              <Button
                kind="primary"
                icon={<IconUserPlus className="small" aria-hidden="true" />}
                onClick={() => setOpen('invite')}
              >
                <Trans>Invite…</Trans>
              </Button>
            )}
          </div>
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
        <RoleChanges />
        <section className="sheet">
          <Table
            caption={t`Staff`}
            rows={data?.rows ?? []}
            rowKey={(row) => row.id}
            rowHref={(row) => `${officePaths.staff}?person=${row.id}`}
            selectedKey={person ?? null}
            instead={error && !data ? <ErrorPanel failure={error} onRetry={() => void refetch()} /> : undefined}
            columns={[
              { head: t`Name`, phone: 'title', cell: (row) => <Name row={row} /> },
              { head: t`Email`, phone: 'time', cell: (row) => <span className="muted">{row.email}</span> },
              { head: t`Roles`, cell: (row) => row.roles.map(roleWord).join(', ') },
              {
                head: t`2FA`,
                cell: (row) => (
                  <span className={row.secondFactor ? 'unbroken' : 'unbroken tone-wait'}>
                    {row.secondFactor ? t`Set up` : t`Not yet`}
                  </span>
                ),
              },
              { head: t`Last sign-in`, wideOnly: true, cell: (row) => <Time at={row.lastSignInAt} /> },
              { head: t`Status`, phone: 'status', cell: (row) => <StaffState state={row.state} /> },
              {
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
            ]}
          />
        </section>
      </div>
      {chosen && <StaffDrawer key={chosen.id} member={chosen} onClose={() => setAddress({ person: undefined })} />}
      {open && <InviteDialog onClose={() => setOpen(null)} />}
    </OfficePage>
  )
}

function Name({ row }: { row: StaffMember }) {
  const { t } = useLingui()
  return (
    <>
      <b className="strong">
        {row.name} {row.self && <span className="tag brand">{t`you`}</span>}
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
      command={<Trans>Send invitation</Trans>}
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

/** Pending changes of roles; approved neither by their proposer nor by the person concerned. */
function RoleChanges() {
  const { data } = useEndpoint(listStaffChanges, {})
  const waiting = data?.rows.filter(({ state }) => state === 'pending') ?? []
  return waiting.map((change) => <WaitingChange key={change.id} change={change} />)
}

function WaitingChange({ change }: { change: Change }) {
  const { t } = useLingui()
  const { data } = useEndpoint(getStaffChange, { id: change.id })
  const words = useChangeLabels({
    title: t`Apply the roles`,
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
          verbs={data?.change.verbs}
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
