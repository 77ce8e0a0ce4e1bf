import { useEffect } from 'react'
import { Trans } from '@lingui/react/macro'
import { useIsOutdated } from '../api/endpoint-query.ts'
import { showToast } from './toasts.tsx'

/** Asks to reload a page whose data can no longer be refreshed; the data stays, and nothing on the page moves. */
export function OutdatedNotice() {
  const isOutdated = useIsOutdated()
  useEffect(() => (isOutdated ? showToast(() => <ReloadLine />, { kind: 'plain', ms: null }) : undefined), [isOutdated])
  return null
}

function ReloadLine() {
  return (
    <>
      <span role="status">
        <Trans>This page may be out of date.</Trans>
      </span>{' '}
      <button type="button" className="text-button" onClick={() => location.reload()}>
        <Trans>Reload page</Trans>
      </button>
    </>
  )
}
