import { Trans } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { comeIntoView } from '#ui/form-focus.ts'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import type { Unsettled } from './confirmed-request.ts'

/** What is known of a request that got no answer, and that nothing goes out by itself. */
export function UnsettledNotice({ unsettled, onAsk }: { unsettled: Unsettled | null; onAsk: () => void }) {
  if (!unsettled) return null
  return <div ref={comeIntoView}>{noticeOf(unsettled, onAsk)}</div>
}

function noticeOf(unsettled: Unsettled, onAsk: () => void) {
  switch (unsettled.what) {
    case 'asking':
      return (
        <Notice kind="run">
          <Trans>We are finding out what became of your request.</Trans>
        </Notice>
      )
    case 'arriving':
      return (
        <Notice kind="run" title={<Trans>Your request has arrived.</Trans>}>
          <Trans>We are still working on it and tell you here as soon as it is done.</Trans>
        </Notice>
      )
    case 'offline':
      return (
        <Notice
          kind="bad"
          title={<Trans>We cannot find out now whether your request arrived.</Trans>}
          action={
            <button type="button" className="text-button" onClick={onAsk}>
              <Trans>Ask again</Trans>
            </button>
          }
        >
          <Trans>
            There is no connection. Nothing is sent by itself: we ask what became of it as soon as you are online.
          </Trans>
        </Notice>
      )
    case 'absent':
      return (
        <Notice kind="wait" title={<Trans>Your request has not arrived.</Trans>}>
          <Trans>
            Nothing has happened. Confirm again if you still want it: it is the same request, so it happens only once.
          </Trans>
        </Notice>
      )
    case 'forgotten':
      return (
        <Notice kind="wait" title={<Trans>We do not know any more what became of your request.</Trans>}>
          <Trans>
            It is too long ago. Look in <Link href={portalPaths.transactionsHistory}>Transactions History</Link> before
            you confirm again: it would be a second request.
          </Trans>
        </Notice>
      )
    case 'not-taken':
      return (
        <Notice kind="bad" title={unsettled.failure.error}>
          <Trans>Your request was not taken. Confirm it again in a minute; what you decided stays here.</Trans>
          {unsettled.failure.reference && (
            <>
              {' '}
              <span className="unbroken">
                <Trans>Reference {unsettled.failure.reference}</Trans>
              </span>
            </>
          )}
        </Notice>
      )
  }
}
