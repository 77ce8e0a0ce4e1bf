import { IconSquareRoundedXFilled } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Codes } from '#ui/text/codes.tsx'
import './funding.css'
import { type StoreKey, storedError, useStoredResult } from './stored-request.ts'

/**
 * `charged`: the firm has the client's money, so trying again would pay twice; null if unknown. A reason without it
 * belongs to a rejected request, which moved nothing.
 */
const storedReason = z.extend(storedError, { charged: z._default(z.nullable(z.boolean()), false) })

interface FailedResultProps {
  at: Exclude<StoreKey, 'bank'>
  page: string
  /** PAYMENT FAILED!, WITHDRAWAL FAILED!, TRANSFER FAILED! (requirements 8.20, 9.13, 10.6). */
  title: string
  /** The path of TRY AGAIN. */
  again: string
  /** The consequence for the money, unless the reason says it already. */
  means: string
}

/** The error step of a money flow: the stored errorMessage, then its consequence and what to do. */
export function FailedResult({ at, page, title, again, means }: FailedResultProps) {
  const { t, i18n } = useLingui()
  const stored = useStoredResult(at, storedReason)
  const reason = stored?.translations[i18n.locale] ?? stored?.errorMessage ?? t`Something went wrong!`
  // Without a known rejection in this visit, nothing is claimed about the money.
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
          <ButtonLink kind={charged === null ? 'outline' : 'primary'} href={again}>{t`TRY AGAIN`}</ButtonLink>
        )}
        <ButtonLink kind={charged === false ? 'quiet' : 'primary'} href={portalPaths.history(`${at}s`)}>
          <Trans>Transactions History</Trans>
        </ButtonLink>
      </div>
      {stored?.reference && !reason.includes(stored.reference) && (
        <p className="muted size-13 numbers failed-reference">
          <Codes>{t`Reference ${stored.reference}`}</Codes>
        </p>
      )}
    </section>
  )
}
