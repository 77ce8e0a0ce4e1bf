/**
 * The server and the people that all tests of one file share. Each is made before the first test, in the order of the
 * calls, but functions and hooks of the file can refer to it immediately.
 */
import { afterAll, beforeAll } from 'vitest'
import type { StaffRole } from '#rules/actors.ts'
import {
  makeClient,
  makeStaff,
  startTestServer,
  type ClientTraits,
  type MadeClient,
  type MadeStaff,
  type FactoryTarget,
  type TestServer,
  type TestServerOptions,
} from './factories.ts'
import { startServerWithCards, type ServerWithCards } from './card-provider.ts'
import { startServerWithPlatform, type Platform, type ServerWithPlatform } from './funded-account.ts'

/** Starts a server, and stops it after the last test. */
export function serverForFile(options: TestServerOptions = {}): TestServer {
  return startForFile(() => startTestServer(options))
}

/** Starts a server with its own simulator, and stops both after the last test. */
export function platformForFile(options: TestServerOptions = {}, kind: Platform = 'MT5'): ServerWithPlatform {
  const place = startForFile(() => startServerWithPlatform(options, kind))
  return deferredParts(place)
}

/**
 * Starts a server with simulators of a trading platform and of the card provider, and stops all after the last test.
 */
export function cardsForFile(options: TestServerOptions = {}): ServerWithCards {
  const place = startForFile(() => startServerWithCards(options))
  return { ...deferredParts(place), cards: deferredObject(() => place.cards) }
}

/** Makes a signed-in staff member with these roles. */
export function staffForFile(
  server: FactoryTarget,
  roles: readonly StaffRole[],
  traits?: { name?: string },
): MadeStaff {
  return makeForFile(() => makeStaff(server, roles, traits))
}

/** Makes a client with a session. */
export function clientForFile(server: FactoryTarget, traits?: ClientTraits): MadeClient {
  return makeForFile(() => makeClient(server, traits))
}

/** Returns a server with its platform, to which code can refer before they have started. */
function deferredParts(place: ServerWithPlatform): ServerWithPlatform {
  return {
    server: deferredObject(() => place.server),
    platform: deferredObject(() => place.platform),
    stop: () => place.stop(),
  }
}

/** Starts something before the first test of a file or block, and stops it after the last. */
export function startForFile<Made extends { stop(): Promise<void> }>(start: () => Promise<Made>): Made {
  let started: Made | undefined
  const made = makeForFile(async () => (started = await start()))
  afterAll(() => started?.stop())
  return made
}

function makeForFile<Made extends object>(make: () => Promise<Made>): Made {
  let made: Made | undefined
  beforeAll(async () => {
    made = await make()
  })
  return deferredObject(() => {
    if (!made) throw new Error('This is made before the first test; only tests and hooks can use it.')
    return made
  })
}

/** Returns an object with the members of another that does not exist yet. */
export function deferredObject<Value extends object>(value: () => Value): Value {
  return new Proxy({} as Value, {
    get(_, name) {
      const member: unknown = Reflect.get(value(), name)
      return typeof member === 'function' ? (member.bind(value()) as unknown) : member
    },
    set: (_, name, to) => Reflect.set(value(), name, to),
    has: (_, name) => Reflect.has(value(), name),
    ownKeys: () => Reflect.ownKeys(value()),
    getOwnPropertyDescriptor(_, name) {
      const found = Reflect.getOwnPropertyDescriptor(value(), name)
      return found && { ...found, configurable: true }
    },
  })
}
