/** What a part shows instead of its data: an empty state, an error, or a placeholder while they load. */
import { type ReactNode, useEffect, useEffectEvent, type CSSProperties } from 'react'
import { IconSquareRoundedXFilled } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../forms/button.tsx'
import { ApiError } from '../api/api-error.ts'
import { CodeMissing } from '../loading/code-missing.ts'
import './content-states.css'
import './skeleton.css'

interface EmptyStateProps {
  /** The level of its heading; h2 directly below the page's title. */
  level?: 'h2' | 'h3'
  icon?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}

/** Says what will appear here, with the one action that adds to it. `icon` is at 32 px. */
export function EmptyState({ icon, title, children, action, level: Heading = 'h3' }: EmptyStateProps) {
  return (
    <div className="empty">
      {icon && <span className="empty-icon">{icon}</span>}
      <Heading className="title-3">{title}</Heading>
      {children && <p className="muted size-14">{children}</p>}
      {action}
    </div>
  )
}

interface ErrorPanelProps {
  /** The error: an ApiError shows its message and reference. */
  failure?: unknown
  /** What failed; without it only the message is shown. */
  title?: ReactNode
  /** Not offered for an entry that does not exist. */
  onRetry?: () => void
  action?: ReactNode
  /** The level of its heading; h1 if the page has no other title. */
  level?: 'h1' | 'h2'
}

/** Says in place what happened, the consequence for money, and what to do. */
export function ErrorPanel({ failure, title, onRetry, action, level: Heading = 'h2' }: ErrorPanelProps) {
  const { t } = useLingui()
  const reference = failure instanceof ApiError ? failure.reference : undefined
  useRetryWhenOnline(onRetry)
  return (
    <div className="empty" role="alert">
      <span className="empty-icon bad">
        <IconSquareRoundedXFilled aria-hidden="true" />
      </span>
      <Heading className="title-3">{title ?? <PanelTitle failure={failure} />}</Heading>
      <p className="muted size-14">
        <PanelSentence failure={failure} />
      </p>
      {action ?? (onRetry && !isNotFound(failure) && <Button kind="primary" onClick={onRetry}>{t`Try again`}</Button>)}
      {reference && <p className="muted size-13 numbers">{t`Reference ${reference}`}</p>}
    </div>
  )
}

/** Retries once the browser is online again. */
function useRetryWhenOnline(onRetry: (() => void) | undefined): void {
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

/** Returns whether the failure is that of an entry which does not exist. */
export function isNotFound(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === 'not-found'
}

/** Failures whose message only repeats the panel's title: these messages say what to do. */
const reasonless: readonly string[] = ['server', 'something-wrong', 'not-understood']

function PanelTitle({ failure }: { failure: unknown }) {
  if (failure instanceof CodeMissing) return <Trans>This page may be out of date.</Trans>
  if (isOffline(failure)) return <Trans>You are offline</Trans>
  if (isNotFound(failure)) return <Trans>Entry not found</Trans>
  return <Trans>Something went wrong!</Trans>
}

function PanelSentence({ failure }: { failure: unknown }) {
  if (failure instanceof CodeMissing) return <Trans>This content could not be loaded.</Trans>
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

/** Placeholder of a value while it loads, with its size; visible only after 400 ms. */
export function Skeleton({ width, height = 14 }: { width: number | string; height?: number }) {
  const style: CSSProperties = { width, height }
  return <span className="skeleton" style={style} aria-hidden="true" />
}

/** Placeholder of a sentence of figures: one line, two on a phone. */
export function SentenceSkeleton() {
  return (
    <>
      <Skeleton width={290} /> <Skeleton width={130} />
    </>
  )
}
