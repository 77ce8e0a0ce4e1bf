import { Trans } from '@lingui/react/macro'
import { openPanel } from './panel.ts'

/** Help and appearance, where no menu has them. */
export function PanelButtons() {
  return (
    <>
      <button type="button" className="text-button" aria-haspopup="dialog" onClick={() => openPanel('help')}>
        <Trans>Help</Trans>
      </button>
      <button type="button" className="text-button" aria-haspopup="dialog" onClick={() => openPanel('display')}>
        <Trans>Appearance</Trans>
      </button>
    </>
  )
}
