import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { inboxCounts } from '#contract/office/inbox.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Link } from '#ui/navigation/link.tsx'

/**
 * Shows a notice on every page when colleagues assign an item to this person; the inbox marks it until it has been
 * opened (requirements 24.70).
 */
export function useAssignmentNotice(signedIn: boolean): void {
  const { data } = useEndpoint(inboxCounts, {}, { enabled: signedIn })
  const count = data?.newlyAssigned
  const last = useRef(count)
  useEffect(() => {
    const added = count !== undefined && last.current !== undefined ? count - last.current : 0
    last.current = count
    if (added <= 0) return
    showToast(
      <>
        <Plural value={added} one="A colleague assigned an item to you." other="A colleague assigned # items to you." />{' '}
        <Link href={`${officePaths.inbox}?mine=false&newlyAssigned=true`}>
          <Trans>Show</Trans>
        </Link>
      </>,
      { kind: 'plain' },
    )
  }, [count])
}
