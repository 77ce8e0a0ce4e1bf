import { IconUserPlus } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import { listStaff, type StaffMember } from '#contract/office/staff.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { SentenceSkeleton } from '#ui/feedback/skeleton.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { ExportButton } from '../../records/list-tools.tsx'
import { useMayDo } from '../../session.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { RoleChanges } from './role-changes.tsx'
import { StaffDrawer } from './staff-drawer.tsx'
import { StaffState } from './staff-state.tsx'
import './staff.css'

const address = z.object({ person: z.optional(z.string()), change: z.optional(z.string()) })

/** Everybody on the staff; no one changes their own rights, and the last administrator stays. */
export default function Staff() {
  const { t } = useLingui()
  const [{ person }, setAddress] = useUrlState(address)
  const [inviting, setInviting] = useState(false)
  const invites = useMayDo('inviteStaff')
  const roleWord = useRoleLabels()
  const { data, error, refetch } = useEndpoint(listStaff, {})
  const chosen = data?.rows.find((row) => row.id === person)
  return (
    <OfficePage>
      <PageHeader
        title={t`Staff`}
        action={
          <>
            <ExportButton list="staff" asked={{}} />
            {invites && (
              <Button
                kind="primary"
                icon={<IconUserPlus className="small" aria-hidden="true" />}
                onClick={() => setInviting(true)}
              >
                <Trans>Invite…</Trans>
              </Button>
            )}
          </>
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
              { key: 'name', head: t`Name`, phone: 'title', cell: (row) => <Name row={row} /> },
              {
                key: 'email',
                head: t`Email`,
                phone: 'time',
                cell: (row) => <span className="muted">{row.email}</span>,
              },
              { key: 'roles', head: t`Roles`, cell: (row) => row.roles.map(roleWord).join(', ') },
              {
                key: 'factor',
                head: t`2FA`,
                cell: (row) => (row.secondFactor ? t`set up` : <span className="tone-wait">{t`not yet`}</span>),
              },
              { key: 'seen', head: t`Last sign-in`, wideOnly: true, cell: (row) => <Time at={row.lastSignInAt} /> },
              { key: 'state', head: t`Status`, phone: 'status', cell: (row) => <StaffState state={row.state} /> },
              {
                key: 'controls',
                head: t`Permissions`,
                phone: 'figure',
                cell: (row) =>
                  row.self ? (
                    <span className="muted staff-own">
                      <Trans>You cannot change your own roles.</Trans>
                    </span>
                  ) : row.pending ? (
                    <span className="tag wait">
                      <Trans>change pending</Trans>
                    </span>
                  ) : null,
              },
            ]}
          />
        </section>
      </div>
      {chosen && <StaffDrawer key={chosen.id} member={chosen} onClose={() => setAddress({ person: undefined })} />}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </OfficePage>
  )
}

function Name({ row }: { row: StaffMember }) {
  return (
    <b className="strong">
      {row.name}{' '}
      {row.self && (
        <span className="tag brand">
          <Trans>you</Trans>
        </span>
      )}
    </b>
  )
}
