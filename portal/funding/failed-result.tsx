import { IconSquareRoundedXFilled } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import './funding.css'
import { type StoreKey, storedError, useStoredResult } from './stored-request.ts'

/**
 * `charged`: the money left the client and is with the firm, so trying again would pay twice; null where that is not
 * known. A reason without it is that of a refused request, which moved nothing.
 */
const storedReason = z.extend(storedError, { charged: z._default(z.nullable(z.boolean()), false) })

interface FailedResultProps {
  at: Exclude<StoreKey, 'bank'>
  page: string
  /** PAYMENT FAILED!, WITHDRAWAL FAILED!, TRANSFER FAILED! (requirements 8.20, 9.13, 10.6). */
  title: string
  /** Where TRY AGAIN leads. */
  again: string
  /** What it means for the money, unless the reason says it already. */
  means: string
}

/** The error step of a money flow: the stored errorMessage first, then what it means and what to do. */
export function FailedResult({ at, page, title, again, means }: FailedResultProps) {
  const { t } = useLingui()
  const stored = useStoredResult(at, storedReason)
  const reason = stored?.errorMessage ?? t`Something went wrong!`
  // Where this visit knows of no refusal, nothing is claimed about the money.
  const charged = stored ? stored.charged : null
  useWindowTitle(page)
  return (
    <section className="sheet padded failed-result" role="alert">
      <p className="section-name">{page}</p>
      <h1 className="received-mark failed-title tone-bad">
        <IconSquareRoundedXFilled aria-hidden="true" />
        {title}
      </h1>
      <p className="failed-reason">{reason}</p>
      <p className="muted measure">
        {charged ? (
          <Trans>Do not pay again.</Trans>
        ) : charged === null ? (
          <Trans>Check the status in Transactions History before you try again.</Trans>
        ) : (
          <>
            {!reason.includes(means) && `${means} `}
            <Trans>Please try again</Trans>
          </>
        )}
      </p>
      <div className="result-commands">
        {!charged && (
          <ButtonLink kind={charged === null ? 'outline' : 'primary'} href={again}>
            <Trans>TRY AGAIN</Trans>
          </ButtonLink>
        )}
        <ButtonLink kind={charged === false ? 'quiet' : 'primary'} href={portalPaths.history(`${at}s`)}>
          <Trans>Transactions History</Trans>
        </ButtonLink>
      </div>
      {stored?.reference && !reason.includes(stored.reference) && (
        <p className="muted size-13 numbers failed-reference">
          <Trans>Reference {stored.reference}</Trans>
        </p>
      )}
    </section>
  )
}
