/**
 * A program of the product as a child process: started, awaited until ready, restarted if it crashes, and stopped in
 * order.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { environmentFollows } from './running-environment.ts'

/** The IPC message of a program: that it is ready, with its ports, or the sentence why it cannot be. */
export interface Announcement {
  readonly ready?: boolean
  readonly failed?: string
  readonly port?: number
  readonly switchPort?: number
}

export interface ChildProgram {
  readonly announcement: Announcement
  /** Requests its end, waits, and kills it if it does not end. */
  stop(): Promise<void>
  /** Stops it and starts it again. Throws its sentence if it does not become ready. */
  restart(): Promise<void>
}

interface Options {
  /** The absolute path of the file that is run. */
  readonly script: string
  readonly env: NodeJS.ProcessEnv
  /** Further environment variables, sent once they are known: the program loads its modules meanwhile. */
  readonly envLater?: Promise<NodeJS.ProcessEnv>
  /** The file for its output; null for our own output. */
  readonly log: string | null
  /** Called once it has crashed too often to be restarted. */
  readonly onGone: (sentence: string) => void
}

const stopMs = 20_000
const logBytesMax = 20_000_000
const restartsMax = 5
const restartsWithinMs = 60_000

/** Starts the program and keeps it running. Throws a sentence if it does not become ready the first time. */
export async function keepRunning(options: Options): Promise<ChildProgram> {
  let child = spawnProgram(options)
  let stopping = false
  const deaths: number[] = []

  const watch = (): void => {
    const watched = child
    watched.once('exit', () => {
      if (!stopping && watched === child) void revive()
    })
  }
  const revive = async (): Promise<void> => {
    deaths.push(Date.now())
    if (deaths.filter((at) => at > Date.now() - restartsWithinMs).length > restartsMax)
      return options.onGone(
        `${basename(options.script)} exited ${restartsMax} times within a minute.${logExcerpt(options)}`,
      )
    await wait(500)
    if (stopping) return
    try {
      child = spawnProgram(options)
      watch()
      await waitUntilReady(child, options)
    } catch (error) {
      if (child.exitCode === null && child.signalCode === null) options.onGone((error as Error).message)
    }
  }

  const [announcement] = await Promise.all([waitUntilReady(child, options), options.envLater]).catch(
    async (error: unknown) => {
      await endChild(child)
      throw error
    },
  )
  watch()
  return {
    announcement,
    stop: async () => {
      stopping = true
      await endChild(child)
    },
    restart: async () => {
      stopping = true
      await endChild(child)
      child = spawnProgram(options)
      await waitUntilReady(child, options)
      stopping = false
      watch()
    },
  }
}

function spawnProgram({ script, env, envLater, log }: Options): ChildProcess {
  const output = log === null ? null : openSync(log, isLogTooLong(log) ? 'w' : 'a', 0o600)
  // Detached: Ctrl-C reaches only us, and we stop our programs in order.
  const child = fork(script, envLater === undefined ? [] : [environmentFollows], {
    env,
    execArgv: [],
    detached: true,
    stdio: ['ignore', output ?? 'inherit', output ?? 'inherit', 'ipc'],
  })
  if (output !== null) closeSync(output)
  envLater?.then(
    (more) => child.send(more),
    // Handled by keepRunning.
    () => undefined,
  )
  return child
}

function isLogTooLong(log: string): boolean {
  return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax
}

function waitUntilReady(child: ChildProcess, options: Options): Promise<Announcement> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${basename(options.script)} ${why}${logExcerpt(options)}`))
    const atExit = (code: number | null, signal: string | null) => fail(`ended immediately (${signal ?? code}).`)
    child.once('exit', atExit)
    child.once('error', (error) => fail(`could not be started: ${error.message}.`))
    child.on('message', (message: Announcement) => {
      if (message.failed !== undefined) reject(new Error(message.failed))
      if (message.ready !== true) return
      child.removeListener('exit', atExit)
      resolve(message)
    })
  })
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(late)
}

function logExcerpt({ log }: Options): string {
  if (log === null) return ''
  return ` The end of its log ${log}:\n${readFileSync(log, 'utf8').trimEnd().split('\n').slice(-12).join('\n')}`
}
