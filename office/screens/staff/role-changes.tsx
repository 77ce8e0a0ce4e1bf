import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  approveStaffChange,
  cancelStaffChange,
  getStaffChange,
  listStaff,
  listStaffChanges,
  rejectStaffChange,
} from '#contract/office/staff.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { Time } from '#ui/text/time.tsx'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { SecondApproval, useChangeLabels } from '../../records/second-approval.tsx'

type Change = ResponseOf<typeof listStaffChanges>['rows'][number]

interface ChangesProps {
  changes: ReturnType<typeof useEndpoint<typeof listStaffChanges>>
}

/** Pending changes of roles and invitations; approved neither by their proposer nor by the person concerned. */
export function RoleChanges({ changes: { data, error, refetch } }: ChangesProps) {
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
