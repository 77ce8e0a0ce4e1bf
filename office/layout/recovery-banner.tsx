import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { officeCurrent } from '#contract/office/session.ts'
import { officePaths } from '#contract/office-paths.ts'
import { refresh } from '#ui/endpoint-query.ts'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { useStaff } from '../session.ts'
import { type Change, useChanges } from './changes.ts'

/** On every page while recovery is open: what is stopped, and who completes it. It follows the stream of changes. */
export function RecoveryBanner() {
  const { moneyStopped } = useStaff()
  const queries = useQueryClient()
  const follow = useCallback(
    ({ kind }: Change) => void (kind === 'recovery' && refresh(queries, [officeCurrent])),
    [queries],
  )
  useChanges(follow)
  if (!moneyStopped) return null
  return (
    <div className="office-banner">
      <Notice
        kind="wait"
        title={
          moneyStopped.accounts ? (
            <Trans>Recovery is in progress. Payments, credits and decisions about money are stopped.</Trans>
          ) : moneyStopped.payouts ? (
            <Trans>Recovery is in progress. Payouts are stopped.</Trans>
          ) : (
            <Trans>Recovery is in progress. Nothing is stopped any more.</Trans>
          )
        }
      >
        <Trans>
          Finance decides on the deals, compliance and an administrator confirm access.{' '}
          <Link href={officePaths.recovery}>Open Recovery</Link>
        </Trans>
      </Notice>
    </div>
  )
}
