import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import {
  approveStaffChange,
  cancelStaffChange,
  getStaffChange,
  listStaff,
  listStaffChanges,
  rejectStaffChange,
} from '#contract/office/staff.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { Button } from '#ui/button.tsx'
import { useEndpoint, useVerb } from '#ui/endpoint-query.ts'
import { tell } from '#ui/passing-notices.tsx'
import { Time } from '#ui/time.tsx'
import { useRoleWords } from '../../layout/role-words.ts'
import { ReasonDialog } from '../../records/reason-dialog.tsx'

type Change = AnswerOf<typeof listStaffChanges>['rows'][number]
type Verb = 'approve' | 'reject' | 'cancel'

/** Changes of roles that wait for a second administrator; never approved by the one who asked or the one concerned. */
export function RoleChanges() {
  const { data } = useEndpoint(listStaffChanges, {})
  const waiting = data?.rows.filter(({ state }) => state === 'pending') ?? []
  return waiting.map((change) => <WaitingChange key={change.id} change={change} />)
}

function WaitingChange({ change }: { change: Change }) {
  const [open, setOpen] = useState<Verb | null>(null)
  const { data } = useEndpoint(getStaffChange, { id: change.id })
  const refusal = (verb: Verb) => data?.change.verbs.find((one) => one.verb === verb)?.refusal ?? null
  const may = (verb: Verb) => data !== undefined && refusal(verb) === null
  const why = refusal('approve')
  return (
    <section className="sheet">
      <header>
        <h2>
          <Trans>Roles of {change.staff.name}</Trans>
        </h2>
        <span className="muted">
          <Trans>
            {change.by.name} asked <Time at={change.at} />
          </Trans>
        </span>
      </header>
      <div className="padded stack-2">
        <RoleDifference change={change} />
        <p className="muted">{change.reason}</p>
        {why && why.code !== 'wrong-role' && <p>{why.text}</p>}
        <div className="row wrap">
          {may('cancel') && (
            <Button onClick={() => setOpen('cancel')}>
              <Trans>Take back…</Trans>
            </Button>
          )}
          {may('reject') && (
            <Button kind="danger" onClick={() => setOpen('reject')}>
              <Trans>Reject…</Trans>
            </Button>
          )}
          {may('approve') && (
            <Button kind="primary" onClick={() => setOpen('approve')}>
              <Trans>Approve…</Trans>
            </Button>
          )}
        </div>
      </div>
      {open && <DecideDialog verb={open} change={change} onClose={() => setOpen(null)} />}
    </section>
  )
}

function RoleDifference({ change }: { change: Change }) {
  const word = useRoleWords()
  return (
    <p>
      <del className="muted">{change.from.map(word).join(', ') || '–'}</del> →{' '}
      <b className="strong">{change.to.map(word).join(', ')}</b>
    </p>
  )
}

function DecideDialog({ verb, change, onClose }: { verb: Verb; change: Change; onClose: () => void }) {
  const { t } = useLingui()
  const refreshes = [listStaffChanges, listStaff, getStaffChange]
  const done = (words: string) => () => {
    tell(words)
    onClose()
  }
  const approve = useVerb(approveStaffChange, { refreshes, onDone: done(t`The roles are in force.`) })
  const reject = useVerb(rejectStaffChange, { refreshes, onDone: done(t`The change is refused.`) })
  const cancel = useVerb(cancelStaffChange, { refreshes, onDone: done(t`The change is taken back.`) })
  const running = { approve, reject, cancel }[verb]
  const { id, version } = change
  const words = {
    approve: { title: t`Put the roles in force`, command: t`Approve` },
    reject: { title: t`Refuse the change`, command: t`Reject` },
    cancel: { title: t`Take the change back`, command: t`Take back` },
  }[verb]
  return (
    <ReasonDialog
      title={words.title}
      command={words.command}
      kind={verb === 'reject' ? 'danger' : 'primary'}
      reason={verb === 'reject' ? 'log' : 'optional'}
      pending={running.isPending}
      failure={running.error}
      onClose={onClose}
      onConfirm={(text) => {
        if (verb === 'approve') approve.mutate({ id, version, note: text })
        else if (verb === 'reject') reject.mutate({ id, version, reason: text })
        else cancel.mutate({ id, version, note: text })
      }}
    >
      <RoleDifference change={change} />
    </ReasonDialog>
  )
}
