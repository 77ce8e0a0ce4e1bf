import { Trans } from '@lingui/react/macro'
import type { Failure } from '#ui/failure.ts'
import { comeIntoView } from '#ui/form-focus.ts'
import { Notice } from '#ui/notice.tsx'

/** No answer came, or it was too early: the same command goes on, and nothing happens twice. */
export function SendingAgain({ failure }: { failure: Failure }) {
  return (
    <div ref={comeIntoView}>
      <Notice kind="bad" title={failure.error}>
        {failure.untouched ? (
          <Trans>Your request was not taken. Confirm it again in a minute; what you decided stays here.</Trans>
        ) : (
          <Trans>
            We do not know yet whether your request arrived. Confirm again: it is the same request, so it happens only
            once.
          </Trans>
        )}
        {failure.reference && (
          <>
            {' '}
            <span className="unbroken">
              <Trans>Reference {failure.reference}</Trans>
            </span>
          </>
        )}
      </Notice>
    </div>
  )
}
