/**
 * A thread that hashes passwords, one at a time, with the lowest priority: hundreds of sign-ins then delay one another
 * and not other calls (requirements 25).
 */
import { setPriority } from 'node:os'
import { hashSync, verifySync, type Options } from '@node-rs/argon2'

export type HashTask =
  | { readonly want: 'hash'; readonly password: string; readonly cost: Options }
  | { readonly want: 'verify'; readonly password: string; readonly kept: string }

const lowestPriority = 15

// Linux has a priority for each thread; elsewhere it would be that of the whole server.
if (process.platform === 'linux') setPriority(lowestPriority)

export function doHashTask(task: HashTask): string | boolean {
  return task.want === 'hash' ? hashSync(task.password, task.cost) : verifySync(task.kept, task.password)
}
