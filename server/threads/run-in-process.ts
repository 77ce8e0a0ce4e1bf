/** A separate process that answers one question and ends, which frees everything that it used (ADR 97). */
import { fork } from 'node:child_process'

export type ProcessEnd = { readonly ended: 'time' | 'memory' | 'broken' }

/**
 * Runs one question in a separate process, without our environment or open files, except the directory of compiled
 * code. A signal ends a process that grows too large.
 */
export function runInProcess<Answer>(
  file: URL,
  question: unknown,
  { clockMsMax, execArgv = [] }: { readonly clockMsMax: number; readonly execArgv?: readonly string[] },
): Promise<Answer | ProcessEnd> {
  return new Promise((resolve, reject) => {
    const child = fork(file, [], {
      execArgv: [...execArgv],
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const clock = setTimeout(() => finish({ ended: 'time' }), clockMsMax)
    const finish = (answer: Answer | ProcessEnd) => {
      clearTimeout(clock)
      resolve(answer)
      child.kill('SIGKILL')
    }
    child.once('message', (answer: Answer) => finish(answer))
    // A system without free memory ends the process with a signal.
    child.once('exit', (_, signal) => finish({ ended: signal === null ? 'broken' : 'memory' }))
    child.once('error', reject)
    child.send(question as object, (error) => error && reject(error))
  })
}
