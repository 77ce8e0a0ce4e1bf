import { Trans } from '@lingui/react/macro'
import { Alert } from '#ui/feedback/alert.tsx'
import type { SettingAnswer } from './section-page.tsx'

/** A colleague was faster: what is written here stands on what they saved. */
export function EditConflict({ setting: { changedBy } }: { setting: SettingAnswer }) {
  return (
    <Alert
      kind="wait"
      title={
        changedBy ? (
          <Trans>{changedBy.name} saved this section meanwhile</Trans>
        ) : (
          <Trans>This section was saved meanwhile</Trans>
        )
      }
    >
      <Trans>What you wrote is kept and stands on what is in force now. Look at it once more before you save it.</Trans>
    </Alert>
  )
}
