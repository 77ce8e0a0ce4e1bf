import type { ReactNode } from 'react'
import type { failedRead } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { LoadingStep } from './loading-step.tsx'

interface FundingPageProps {
  title: string
  alert?: ReactNode
  failed: ReturnType<typeof failedRead>
  /** The steps; empty while their data is loading. */
  children: ReactNode
}

/** The frame of a money flow: its title, and its steps once their data is loaded. */
export function FundingPage({ title, alert, failed, children }: FundingPageProps) {
  return (
    <>
      <PageHeader title={title} />
      {alert}
      {failed ? <ErrorPanel failure={failed.failure} onRetry={failed.again} /> : children || <LoadingStep />}
    </>
  )
}
