import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { officeCurrent } from '#contract/office/session.ts'
import { refresh } from '#ui/api/endpoint-query.ts'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { useStaff } from '../session.ts'
import { type Change, useChanges } from './changes.ts'

const RecoveryNotice = lazyPart(async () => (await import('./recovery-notice.tsx')).RecoveryNotice)

/** On every page while recovery is open: what is stopped, and who completes it. It follows the stream of changes. */
export function RecoveryBanner() {
  const { moneyStopped } = useStaff()
  const queries = useQueryClient()
  const follow = useCallback(
    ({ kind }: Change) => void (kind === 'recovery' && refresh(queries, [officeCurrent])),
    [queries],
  )
  useChanges(follow)
  return moneyStopped && <RecoveryNotice stopped={moneyStopped} />
}
