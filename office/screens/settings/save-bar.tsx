import { useQueryClient } from '@tanstack/react-query'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import {
  getSetting,
  listSettings,
  listSettingChanges,
  saveSetting,
  type SettingAnswer,
} from '#contract/office/settings.ts'
import { Button } from '#ui/forms/button.tsx'
import { setEndpointData, refreshEndpoints, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { DecisionBar } from '#ui/layout/office-page.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { DifferenceTable } from './difference-table.tsx'
import type { Json } from './draft.ts'
import type { Difference } from '#rules/settings-changes.ts'
import { usePathLabel, useSectionLabels } from './section-labels.ts'
import { invalidFieldOf } from './use-preview.ts'

interface SaveBarProps {
  setting: SettingAnswer
  value: Json
  differences: readonly Difference[]
  affectedClients: number | null
  /** Why the server rejected it. */
  refusal: ApiError | null
  /** The message if a colleague has saved the section in the meantime. */
  overtaken: ReactNode
  /** Called when the draft was saved or discarded. */
  onDrop: () => void
}

/** Explains the effect of saving; the confirmation shows values before and after, and requests a reason. */
export function SaveBar({ setting, value, differences, affectedClients, refusal, overtaken, onDrop }: SaveBarProps) {
  const { t } = useLingui()
  const { name } = useSectionLabels()(setting.section)
  const [open, setOpen] = useState(false)
  const mutation = useSaving({
    setting,
    value,
    onDone: () => {
      setOpen(false)
      onDrop()
    },
  })
  const changed = differences.length
  const word = usePathLabel()
  const wrong = invalidFieldOf(refusal)
  return (
    <>
      <DecisionBar
        sentence={
          changed === 0 ? (
            <Trans>No changes.</Trans>
          ) : refusal ? (
            <span className="tone-bad">
              {wrong && wrong.path !== 'value' ? `${word(wrong.path)}: ${wrong.text}` : refusal.error}
            </span>
          ) : (
            <>
              <Plural value={changed} one="# change not saved." other="# changes not saved." />{' '}
              <Effect setting={setting} affectedClients={affectedClients} />
            </>
          )
        }
      >
        {changed > 0 && (
          <>
            <Button onClick={onDrop}>{t`Discard`}</Button>
            {!refusal && <Button kind="primary" onClick={() => setOpen(true)}>{t`Review and save…`}</Button>}
          </>
        )}
      </DecisionBar>
      {open && (
        <ReasonDialog
          title={setting.fourEyes ? t`Propose changes: ${name}` : t`Save changes: ${name}`}
          command={setting.fourEyes ? <Trans>Propose</Trans> : <Trans>Save</Trans>}
          pending={mutation.isPending}
          failure={overtaken && isStale(mutation.error) ? null : mutation.error}
          onClose={() => setOpen(false)}
          onConfirm={(reason) => mutation.mutate({ section: setting.section, value, version: setting.version, reason })}
        >
          {overtaken}
          <DifferenceTable changes={differences} />
          <p className="muted">
            <Effect setting={setting} affectedClients={affectedClients} />
          </p>
        </ReasonDialog>
      )}
    </>
  )
}

/** Returns a function that saves; a colleague's version is loaded, and the draft continues on it. */
function useSaving({ setting, value, onDone }: Pick<SaveBarProps, 'setting' | 'value'> & { onDone: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { section } = setting
  const { name } = useSectionLabels()(section)
  return useEndpointMutation(saveSetting, {
    refreshes: [getSetting, listSettings, listSettingChanges],
    onFailure: (failure) => {
      if (isStale(failure)) void refreshEndpoints(queries, [getSetting])
    },
    onDone: ({ saved, version }) => {
      showToast(() =>
        saved ? t`Changes saved: ${name}.` : t`Change to ${name} proposed. A second administrator must approve it.`,
      )
      // The form stays unchanged until the section is reloaded.
      if (saved) setEndpointData(queries, getSetting, { section }, { ...setting, value, version })
      onDone()
    },
  })
}

function isStale(failure: unknown): boolean {
  return failure instanceof ApiError && ['stale-page', 'change-waits'].includes(failure.code)
}

function Effect({ setting, affectedClients }: Pick<SaveBarProps, 'setting' | 'affectedClients'>) {
  if (setting.fourEyes) return <Trans>A second administrator must approve the change before it takes effect.</Trans>
  if (affectedClients === null) return <Trans>The change takes effect immediately.</Trans>
  return (
    <Plural
      value={affectedClients}
      one="# client will see the change on the next page. No email is sent."
      other="# clients will see the change on their next page. No email is sent."
    />
  )
}
