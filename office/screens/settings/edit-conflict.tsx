import { Trans } from '@lingui/react/macro'
import type { SettingAnswer } from '#contract/office/settings.ts'
import { Alert } from '#ui/feedback/alert.tsx'

/** A colleague was faster: what is written here stands on what they saved. */
export function EditConflict({ setting: { changedBy } }: { setting: SettingAnswer }) {
  return (
    <Alert
      kind="wait"
      title={
        changedBy ? (
          <Trans>{changedBy.name} saved this section in the meantime</Trans>
        ) : (
          <Trans>This section has been saved in the meantime</Trans>
        )
      }
    >
      <Trans>Your changes have been kept and applied to the current version. Review them before you save.</Trans>
    </Alert>
  )
}
