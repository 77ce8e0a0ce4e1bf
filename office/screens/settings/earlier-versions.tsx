import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { SettingAnswer } from '#contract/office/settings.ts'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { Time } from '#ui/text/time.tsx'
import { useLingui } from '@lingui/react/macro'
import { DifferenceTable } from './difference-table.tsx'

/** Shows when it was last changed, by whom, and what stood there before. */
export function EarlierVersions({ setting }: { setting: SettingAnswer }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const { changedAt, changedBy, earlier } = setting
  if (!changedAt) return <Trans>Default value. Never changed.</Trans>
  return (
    <>
      {changedBy ? (
        <Trans>
          Changed on <Time at={changedAt} form="day" /> by {changedBy.name}.
        </Trans>
      ) : (
        <Trans>
          Changed on <Time at={changedAt} form="day" />.
        </Trans>
      )}{' '}
      <button type="button" className="text-button" onClick={() => setOpen(true)}>
        <Plural value={earlier.length} one="# change" other="# changes" />
      </button>
      <Drawer isOpen={open} title={t`Changes`} onClose={() => setOpen(false)}>
        <div className="stack-6">
          {earlier.map((version) => (
            <section key={version.version} className="stack-2">
              <p className="strong">
                <Time at={version.at} /> · {version.by?.name ?? '–'}
              </p>
              <p className="muted">{version.reason}</p>
              <DifferenceTable changes={version.changes} />
            </section>
          ))}
        </div>
      </Drawer>
    </>
  )
}
