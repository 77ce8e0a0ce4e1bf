import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ApiError } from '#ui/api/api-error.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import type { AccountSource } from './account-source.ts'

interface SectionErrorProps {
  failure: unknown
  title: ReactNode
  reader: AccountSource['reader']
  onRetry: () => void
}

/** Says that one part of the page could not be loaded, and that the others are not affected. */
export function SectionError({ failure, title, reader, onRetry }: SectionErrorProps) {
  const { t } = useLingui()
  const reference = failure instanceof ApiError ? failure.reference : undefined
  return (
    <Alert kind="bad" title={title}>
      {reader === 'client' ? (
        <Trans>The rest of this page is up to date, and nothing about your account has changed.</Trans>
      ) : (
        <Trans>The rest of this page is up to date.</Trans>
      )}{' '}
      <button type="button" className="text-button" onClick={onRetry}>{t`Try again`}</button>
      {reference && (
        <>
          {' '}
          <span className="unbroken">
            <Trans>Reference {reference}</Trans>
          </span>
        </>
      )}
    </Alert>
  )
}
