/**
 * A thread that hashes passwords, one at a time, when no other person wants the processor: sign-ins by the hundred then cost
 * one another's time and not that of other calls (requirements 25).
 */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync, type Options } from '@node-rs/argon2'

export type HashTask =
  | { readonly want: 'hash'; readonly password: string; readonly cost: Options }
  | { readonly want: 'verify'; readonly password: string; readonly kept: string }

export type HashAnswer = { readonly done: string | boolean } | { readonly failed: string }

const lowestPriority = 15

// Linux knows a priority for each thread; elsewhere it would be that of the whole server.
if (process.platform === 'linux') setPriority(lowestPriority)

function answer(task: HashTask): HashAnswer {
  try {
    if (task.want === 'hash') return { done: hashSync(task.password, task.cost) }
    return { done: verifySync(task.kept, task.password) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (task: HashTask) => parentPort?.postMessage(answer(task)))
