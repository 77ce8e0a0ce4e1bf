import type { ReactNode } from 'react'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { OfficePage } from '#ui/office-page.tsx'

interface RecordScreenProps<Data> {
  read: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** Draws a record once it is read; says in place why it could not be. */
export function RecordScreen<Data>({ read, children }: RecordScreenProps<Data>) {
  if (read.data !== undefined) return children(read.data)
  return (
    <OfficePage>
      {read.error && <ErrorPanel level="h1" failure={read.error} onRetry={() => void read.refetch()} />}
    </OfficePage>
  )
}
