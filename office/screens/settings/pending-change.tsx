import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import {
  approveSettingChange,
  cancelSettingChange,
  getSetting,
  getSettingChange,
  listSettings,
  rejectSettingChange,
} from '#contract/office/settings.ts'
import { Button } from '#ui/button.tsx'
import { useEndpoint, useVerb } from '#ui/endpoint-query.ts'
import { Notice } from '#ui/notice.tsx'
import { tell } from '#ui/passing-notices.tsx'
import { Time } from '#ui/time.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { DifferenceTable } from './difference-table.tsx'
import type { SettingAnswer } from './section-page.tsx'

type Verb = 'approve' | 'reject' | 'cancel'
const refreshes = [getSetting, getSettingChange, listSettings]

/** A proposal that waits for a second administrator; never approved by the one who made it. */
export function PendingChange({ pending }: { pending: NonNullable<SettingAnswer['pending']> }) {
  const [open, setOpen] = useState<Verb | null>(null)
  const { data } = useEndpoint(getSettingChange, { id: pending.id })
  const refusalOf = (verb: Verb) => data?.change.verbs.find((one) => one.verb === verb)?.refusal ?? null
  const may = (verb: Verb) => data !== undefined && refusalOf(verb) === null
  const why = refusalOf('approve')
  return (
    <section className="settings-group">
      <Notice kind="wait" title={<Trans>A change waits for a second administrator</Trans>}>
        <p>
          <Trans>
            {pending.by.name} proposed it <Time at={pending.at} />: {pending.reason}
          </Trans>
        </p>
      </Notice>
      <DifferenceTable changes={pending.changes} />
      {why && why.code !== 'wrong-role' && <p className="muted">{why.text}</p>}
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
      {open && <DecideDialog verb={open} pending={pending} onClose={() => setOpen(null)} />}
    </section>
  )
}

interface DecideProps {
  verb: Verb
  pending: NonNullable<SettingAnswer['pending']>
  onClose: () => void
}

function DecideDialog({ verb, pending, onClose }: DecideProps) {
  const { t } = useLingui()
  const done = (words: string) => () => {
    tell(words)
    onClose()
  }
  const approve = useVerb(approveSettingChange, { refreshes, onDone: done(t`The change is in force.`) })
  const reject = useVerb(rejectSettingChange, { refreshes, onDone: done(t`The change is refused.`) })
  const cancel = useVerb(cancelSettingChange, { refreshes, onDone: done(t`The change is taken back.`) })
  const { id, version } = pending
  const running = { approve, reject, cancel }[verb]
  const words = {
    approve: { title: t`Put the change in force`, command: t`Approve` },
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
      <DifferenceTable changes={pending.changes} />
    </ReasonDialog>
  )
}
