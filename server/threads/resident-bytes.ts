import { readFileSync } from 'node:fs'

/**
 * Returns the maximum resident memory of this process so far, in bytes; on systems other than Linux, the current one.
 *
 * `resourceUsage().maxRSS` is not used: on Linux it starts with the memory of the parent when it started this process
 * (getrusage(2), proc(5): VmHWM).
 */
export function peakResidentBytes(): number {
  const now = process.memoryUsage.rss()
  if (process.platform !== 'linux') return now
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return Math.max(now, Number(kilobytes ?? 0) * 1024)
}
