import { IconSquareRoundedXFilled } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Button } from '../forms/button.tsx'
import './empty-state.css'
import { ApiError } from '../api/api-error.ts'

interface ErrorPanelProps {
  /** The error: an ApiError shows its message and reference. */
  failure?: unknown
  /** What failed; without it only the message is shown. */
  title?: ReactNode
  onRetry?: () => void
  action?: ReactNode
  /** The level of its heading; h1 if the page has no other title. */
  level?: 'h1' | 'h2'
}

/** Says in place what happened, the consequence for money, and what to do. */
export function ErrorPanel({ failure, title, onRetry, action, level: Heading = 'h2' }: ErrorPanelProps) {
  const { t } = useLingui()
  const reference = failure instanceof ApiError ? failure.reference : undefined
  const ownTitle = isOffline(failure) ? <Trans>You are offline</Trans> : <Trans>Something went wrong!</Trans>
  useAgainOnline(onRetry)
  return (
    <div className="empty" role="alert">
      <span className="empty-icon bad">
        <IconSquareRoundedXFilled aria-hidden="true" />
      </span>
      <Heading className="title-3">{title ?? ownTitle}</Heading>
      <p className="muted size-14">
        <PanelSentence failure={failure} />
      </p>
      {action ?? (onRetry && <Button kind="primary" onClick={onRetry}>{t`Try again`}</Button>)}
      {reference && <p className="muted size-13 numbers">{t`Reference ${reference}`}</p>}
    </div>
  )
}

/** Retries once the browser is online again. */
function useAgainOnline(onRetry: (() => void) | undefined): void {
  const retry = useEffectEvent(() => onRetry?.())
  useEffect(() => {
    const again = () => retry()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [])
}

function isOffline(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === 'no-answer' && !navigator.onLine
}

/** Failures whose message only repeats the panel's title: these messages say what to do. */
const reasonless: readonly string[] = ['server', 'something-wrong', 'not-understood']

function PanelSentence({ failure }: { failure: unknown }) {
  if (!(failure instanceof ApiError)) return <ApiErrorText failure={failure} />
  if (isOffline(failure)) return <Trans>We will reload this page when you are back online.</Trans>
  if (failure.code === 'no-answer')
    return <Trans>We cannot reach the server. Check your internet connection and try again.</Trans>
  if (!reasonless.includes(failure.code)) return <ApiErrorText failure={failure} />
  if (failure.reference === undefined) return <Trans>This is a problem on our side. Try again in a minute.</Trans>
  return (
    <Trans>This is a problem on our side. Try again in a minute. If it continues, give support the reference.</Trans>
  )
}

/** The message of a failure, or of an unexpected error. */
export function ApiErrorText({ failure }: { failure: unknown }) {
  if (failure instanceof ApiError) return <>{failure.error}</>
  return <Trans>This page could not be displayed. Try again. If it continues, contact support.</Trans>
}
