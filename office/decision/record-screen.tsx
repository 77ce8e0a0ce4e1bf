import type { ReactNode } from 'react'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import './decision.css'

interface RecordScreenProps<Data> {
  read: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** Renders a record once it is loaded; shows the error in place if it could not be. */
export function RecordScreen<Data>({ read, children }: RecordScreenProps<Data>) {
  if (read.data !== undefined) return children(read.data)
  return (
    <OfficePage>
      {read.error ? (
        <ErrorPanel level="h1" failure={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <ComingRecord />
      )}
    </OfficePage>
  )
}

/** Placeholder of a record's title and facts while they load. */
function ComingRecord() {
  return (
    <div className="on-page coming-record" aria-busy="true">
      <Skeleton width={160} height={12} />
      <Skeleton width={260} height={28} />
      <Skeleton width="100%" height={88} />
      <Skeleton width="60%" height={120} />
    </div>
  )
}
