import { Trans, useLingui } from '@lingui/react/macro'
import './demo-mark.css'

/** Says on every page that nothing here is real, and leads to the demo's own page (requirements 22.4). */
export function DemoMark() {
  const { t } = useLingui()
  return (
    <aside aria-label={t`Demo`}>
      <a className="demo-mark" href="/demo">
        <b className="section-name">
          <Trans>Demo</Trans>
        </b>
        <span>
          <Trans>Demo data only</Trans>
        </span>
      </a>
    </aside>
  )
}
