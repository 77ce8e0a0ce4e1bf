/** Reads the zone of an untrusted image in a separate process, with limits of memory, time and response (ADR 228). */
import { runInProcess, type ProcessEnd } from '../threads/run-in-process.ts'
import type { ZoneReport } from './zone-process.ts'

const megabyte = 1024 * 1024
const bounds = { heapMbMax: 128, residentBytesMax: 300 * megabyte, clockMsMax: 60_000 }
const zoneProcess = new URL('./zone-process.ts', import.meta.url)

/** Reads a picture. `execArgv` is for the test: what it preloads proves that no connection is opened. */
export function readPicture(bytes: Uint8Array, execArgv: readonly string[] = []): Promise<ZoneReport | ProcessEnd> {
  return runInProcess<ZoneReport>(
    zoneProcess,
    { bytes, residentBytesMax: bounds.residentBytesMax },
    { clockMsMax: bounds.clockMsMax, execArgv: [`--max-old-space-size=${bounds.heapMbMax}`, ...execArgv] },
  )
}
