/** A session is its connection: the challenge, the response, and the permission to call. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Parameters } from './parameters.ts'

const challengeLifeMs = 10_000
const versionMin = 484

interface Session {
  challenge: { random: string; madeAt: number } | null
  authenticated: boolean
}

interface Manager {
  readonly login: string
  readonly password: string
}

export class Sessions {
  readonly #sessions = new WeakMap<Socket, Session>()
  readonly #manager: Manager

  constructor(manager: Manager) {
    this.#manager = manager
  }

  isAuthenticated(socket: Socket): boolean {
    return this.#sessions.get(socket)?.authenticated === true
  }

  forget(socket: Socket): void {
    this.#sessions.delete(socket)
  }

  /** `/api/auth/start`: a new random challenge each time, valid for 10 seconds of real time. */
  start(socket: Socket, parameters: Parameters): Record<string, string> {
    const agent = parameters.get('agent') ?? ''
    if (parameters.get('type') !== 'manager') return { retcode: '1000 Invalid type of the terminal' }
    if (Number(parameters.get('version')) < versionMin) return { retcode: '1010 Old client version' }
    if (agent === '' || agent.includes(' ')) return { retcode: '3 Invalid parameters' }
    if (parameters.get('login') !== this.#manager.login) return { retcode: '1001 Invalid account' }
    const random = randomBytes(16).toString('hex')
    this.#sessions.set(socket, { challenge: { random, madeAt: performance.now() }, authenticated: false })
    return { retcode: '0 Done', version_access: '3470', srv_rand: random }
  }

  /** `/api/auth/answer`: the challenge is valid once. */
  answer(socket: Socket, parameters: Parameters): Record<string, string> {
    const session = this.#sessions.get(socket)
    const challenge = session?.challenge ?? null
    if (session === undefined || challenge === null) return { retcode: '1001 Invalid account' }
    session.challenge = null
    if (performance.now() - challenge.madeAt > challengeLifeMs) return { retcode: '9 Timeout expired' }
    const hash = passwordHash(this.#manager.password)
    const given = parameters.get('srv_rand_answer') ?? ''
    const random = parameters.get('cli_rand') ?? ''
    if (!isEqualHex(given, challengeAnswer(hash, challenge.random))) return { retcode: '1001 Invalid account' }
    if (!/^[0-9a-f]{32}$/i.test(random)) return { retcode: '3 Invalid parameters' }
    session.authenticated = true
    return {
      retcode: '0 Done',
      version_access: '3470',
      version_trade: '3470',
      cli_rand_answer: challengeAnswer(hash, random),
    }
  }
}

function passwordHash(password: string): Buffer {
  const first = createHash('md5').update(Buffer.from(password, 'utf16le')).digest()
  return createHash('md5').update(first).update('WebAPI').digest()
}

function challengeAnswer(hash: Buffer, random: string): string {
  return createHash('md5').update(hash).update(Buffer.from(random, 'hex')).digest('hex')
}

function isEqualHex(given: string, expected: string): boolean {
  const left = Buffer.from(given.toLowerCase())
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}
