import { Trans } from '@lingui/react/macro'
import { openPanel } from './panel.ts'

/** Buttons for Help and appearance on pages without a menu. */
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
