import { readFileSync } from 'node:fs'

/**
 * Returns whether a process of this machine runs under an id. A zombie counts as dead: it only waits for its parent to
 * reap it.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}
