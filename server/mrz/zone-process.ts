/** The process that reads the zone of one picture and ends. It opens no connection: the reader needs none. */
import { readZone } from './read-zone.ts'
import type { ZoneReading } from './read-fields.ts'
import { peakResidentBytes } from '../threads/resident-bytes.ts'

export interface ZoneReport {
  /** Null where the picture shows no zone. */
  readonly reading: ZoneReading | null | { readonly refused: 'unreadable' | 'memory' }
  /** The most that the process held, as the system counts it. */
  readonly residentBytes: number
  readonly workedMs: number
}

process.once('message', ({ bytes, residentBytesMax }: { bytes: Uint8Array; residentBytesMax: number }) => {
  readZone(bytes).then(
    (reading) => report(reading, residentBytesMax),
    () => report({ refused: 'unreadable' }, residentBytesMax),
  )
})
// Anyone who asked is gone.
process.once('disconnect', () => process.exit())

function report(reading: ZoneReport['reading'], residentBytesMax: number): void {
  const { user, system } = process.cpuUsage()
  const residentBytes = peakResidentBytes()
  const held = residentBytes > residentBytesMax ? ({ refused: 'memory' } as const) : reading
  process.send?.({ reading: held, residentBytes, workedMs: (user + system) / 1000 } satisfies ZoneReport)
}
