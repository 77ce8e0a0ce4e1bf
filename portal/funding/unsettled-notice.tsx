import type { ReactNode } from 'react'
import { Trans } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { scrollIntoViewOnRender } from '#ui/forms/form-state.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import type { Unsettled } from './confirmed-request.ts'

interface UnsettledNoticeProps {
  unsettled: Unsettled | null
  onAsk: () => void
  /** Where the client finds the request; without it Transactions History. */
  list?: ReactNode
}

/** Shows what is known of a request without a response, and that nothing is sent automatically. */
export function UnsettledNotice({ unsettled, ...props }: UnsettledNoticeProps) {
  if (!unsettled) return null
  return <div ref={scrollIntoViewOnRender}>{noticeOf(unsettled, props)}</div>
}

function noticeOf(unsettled: Unsettled, { onAsk, list = <HistoryLink /> }: Omit<UnsettledNoticeProps, 'unsettled'>) {
  switch (unsettled.what) {
    case 'asking':
      return (
        <Alert kind="run">
          <Trans>We are checking the status of your request.</Trans>
        </Alert>
      )
    case 'arriving':
      return (
        <Alert kind="run" title={<Trans>We have received your request.</Trans>}>
          <Trans>We are still processing it. The result will appear on this page.</Trans>
        </Alert>
      )
    case 'delayed':
      return (
        <Alert kind="run" title={<Trans>We have received your request.</Trans>}>
          <Trans>
            Processing is taking longer than usual. You can wait or confirm again. Your request will be carried out only
            once.
          </Trans>
        </Alert>
      )
    case 'offline':
      return (
        <Alert
          kind="bad"
          title={<Trans>We cannot check whether we received your request.</Trans>}
          action={
            <button type="button" className="text-button" onClick={onAsk}>
              <Trans>Check again</Trans>
            </button>
          }
        >
          <Trans>
            You are offline. Your request will not be sent again automatically. We will check its status as soon as you
            are online again. Until then you cannot change it.
          </Trans>
        </Alert>
      )
    case 'expected':
      return (
        <Alert kind="wait" title={<Trans>We have not received your request yet.</Trans>}>
          <Trans>
            It may still arrive. You can change it 2 minutes after you last confirmed it. If you still want this,
            confirm it again. It will be carried out only once.
          </Trans>
        </Alert>
      )
    case 'absent':
      return (
        <Alert kind="wait" title={<Trans>We have not received your request.</Trans>}>
          <Trans>
            Nothing has changed. If you still want this, confirm it again. It will be carried out only once.
          </Trans>
        </Alert>
      )
    case 'forgotten':
      return (
        <Alert kind="wait" title={<Trans>The status of your request is no longer available.</Trans>}>
          <Trans>Check {list} before you confirm again. Confirming again sends a second request.</Trans>
        </Alert>
      )
    case 'unreadable':
      return (
        <Alert
          kind="wait"
          title={<Trans>We have received your request.</Trans>}
          action={
            <button type="button" className="text-button" onClick={() => location.reload()}>
              <Trans>Reload page</Trans>
            </button>
          }
        >
          <Trans>This page is out of date and cannot show the result. Do not send the request again.</Trans>
        </Alert>
      )
    case 'not-taken':
      return (
        <Alert kind="bad" title={unsettled.failure.error}>
          <Trans>Your request was not accepted. Confirm it again in a minute. Your entries are kept.</Trans>
          {unsettled.failure.reference && (
            <>
              {' '}
              <span className="unbroken">
                <Trans>Reference {unsettled.failure.reference}</Trans>
              </span>
            </>
          )}
        </Alert>
      )
  }
}

function HistoryLink() {
  return (
    <Link href={portalPaths.transactionsHistory}>
      <Trans>Transactions History</Trans>
    </Link>
  )
}
