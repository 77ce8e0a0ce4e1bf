import { Trans, useLingui } from '@lingui/react/macro'
import {
  approveSettingChange,
  cancelSettingChange,
  getSetting,
  getSettingChange,
  listSettings,
  rejectSettingChange,
  type SettingAnswer,
} from '#contract/office/settings.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { SecondApproval, useChangeLabels } from '../../records/second-approval.tsx'
import { DifferenceTable } from './difference-table.tsx'

interface PendingChangeProps {
  pending: NonNullable<SettingAnswer['pending']>
  /** Something was being written here when it was proposed. */
  keeps: boolean
}

/** A change of a setting that waits for a second administrator. */
export function PendingChange({ pending, keeps }: PendingChangeProps) {
  const { t } = useLingui()
  const { data } = useEndpoint(getSettingChange, { id: pending.id })
  const words = useChangeLabels({
    title: t`Apply the change`,
    done: t`The change has taken effect.`,
    look: <DifferenceTable changes={pending.changes} />,
  })
  return (
    <section className="settings-group">
      <Alert kind="wait" title={<Trans>A change needs a second administrator’s approval</Trans>}>
        <p>
          <Trans>
            Proposed by {pending.by.name} on <Time at={pending.at} />: {pending.reason}
          </Trans>
        </p>
        {keeps && (
          <p>
            <Trans>Your draft has been kept. You can continue after the decision.</Trans>
          </p>
        )}
      </Alert>
      <DifferenceTable changes={pending.changes} />
      <SecondApproval
        proposal={pending}
        verbs={data?.change.verbs}
        approve={approveSettingChange}
        reject={rejectSettingChange}
        cancel={cancelSettingChange}
        refreshes={[getSetting, getSettingChange, listSettings]}
        words={words}
        danger="reject"
      />
    </section>
  )
}
