/** The process that reads the zone of one image and ends. It opens no connection, because the reader needs none. */
import { readZone } from './read-zone.ts'
import type { ZoneReading } from './read-fields.ts'
import { peakResidentBytes } from '../threads/resident-bytes.ts'

export interface ZoneReport {
  /** Null if the image has no zone. */
  readonly reading: ZoneReading | null | { readonly refused: 'unreadable' | 'memory' }
  /** The maximum resident memory of the process, as the system reports it. */
  readonly residentBytes: number
  readonly workedMs: number
}

process.once('message', ({ bytes, residentBytesMax }: { bytes: Uint8Array; residentBytesMax: number }) => {
  readZone(bytes).then(
    (reading) => report(reading, residentBytesMax),
    () => report({ refused: 'unreadable' }, residentBytesMax),
  )
})
// The parent process has ended.
process.once('disconnect', () => process.exit())

function report(reading: ZoneReport['reading'], residentBytesMax: number): void {
  const { user, system } = process.cpuUsage()
  const residentBytes = peakResidentBytes()
  const held = residentBytes > residentBytesMax ? ({ refused: 'memory' } as const) : reading
  process.send?.({ reading: held, residentBytes, workedMs: (user + system) / 1000 } satisfies ZoneReport)
}
