import { Trans, useLingui } from '@lingui/react/macro'
import {
  approveSettingChange,
  cancelSettingChange,
  getSetting,
  getSettingChange,
  listSettings,
  rejectSettingChange,
} from '#contract/office/settings.ts'
import { useEndpoint } from '#ui/endpoint-query.ts'
import { Notice } from '#ui/notice.tsx'
import { Time } from '#ui/time.tsx'
import { SecondApproval, useChangeWords } from '../../records/second-approval.tsx'
import { DifferenceTable } from './difference-table.tsx'
import type { SettingAnswer } from './section-page.tsx'

/** A change of a setting that waits for a second administrator. */
export function PendingChange({ pending }: { pending: NonNullable<SettingAnswer['pending']> }) {
  const { t } = useLingui()
  const { data } = useEndpoint(getSettingChange, { id: pending.id })
  const words = useChangeWords({
    title: t`Put the change in force`,
    done: t`The change is in force.`,
    look: <DifferenceTable changes={pending.changes} />,
  })
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
