/**
 * A thread that hashes passwords, one at a time, with the lowest priority: hundreds of sign-ins then delay one another
 * and not other calls (requirements 25).
 */
import { setPriority } from 'node:os'
import { hashSync, verifySync, type Options } from '@node-rs/argon2'

export type HashRequest =
  | { readonly want: 'hash'; readonly password: string; readonly cost: Options }
  | { readonly want: 'verify'; readonly password: string; readonly kept: string }
/** The thread yields to other work if its first task does. */
type HashTask = HashRequest & { readonly yields: boolean }

const lowestPriority = 15

let isFirst = true

export function doHashTask(task: HashTask): string | boolean {
  // Linux has a priority for each thread; elsewhere it would be that of the whole server.
  if (isFirst && task.yields && process.platform === 'linux') setPriority(lowestPriority)
  isFirst = false
  return task.want === 'hash' ? hashSync(task.password, task.cost) : verifySync(task.kept, task.password)
}
