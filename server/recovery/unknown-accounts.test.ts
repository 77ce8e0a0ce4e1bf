/**
 * Accounts that a restored database does not have are found, disabled on the platform and shown; ours and those of
 * others are unchanged.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  confirmRecoveryItem,
  getRecovery,
  getRecoveryItem,
  listRecoveryItems,
  proposeRecoveryItem,
} from '#contract/office/recovery.ts'
import { money } from '#rules/money.ts'
import { readConfig } from '#server/config/config.ts'
import { rows, sql, transaction } from '#server/db/sql.ts'
import { operationRef } from '#server/db/ids.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { operate } from '#server/operator/commands.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { platformComment } from '#server/ledger/references.ts'
import { platformAccount } from '../../tests/platform-account.ts'
import { makeFundedAccount, startServerWithPlatform, type ServerWithPlatform } from '../../tests/funded-account.ts'
import { call, makeClient, makeStaff, newReference } from '../../tests/factories.ts'
import { endRecovery } from '../../tests/end-recovery.ts'
import { findOpenRecoveryItem } from '../../tests/recovered.ts'
import { openRecovery } from './open-recovery.ts'

let place: ServerWithPlatform
let gateway: RunningSimulator
// Each test has its own platforms and ledger, because recovery finds everything on them.
beforeEach(async () => {
  gateway = await startSimulator('mt4-gateway')
  const env = { MT4_URL: `http://127.0.0.1:${gateway.port}`, MT4_KEY: 'portal', MT4_SECRET: 'simulator-gateway-secret' }
  place = await startServerWithPlatform({ now: new Date(), env })
})
afterEach(async () => {
  await place.stop()
  await gateway.stop()
})

const openAtPlatform = (platform: 'MT4' | 'MT5', ref: string) =>
  place.server.dependencies.platforms[platform].createAccount(
    platformAccount(ref, platform === 'MT5' ? 'real\\standard-EUR' : 'real-std-EUR'),
  )
/** Makes an account on MetaTrader 5 with a credit under a reference of ours. */
async function makeAccountWithDeal(ref: string): Promise<{ login: string; shown: string }> {
  const { login } = await openAtPlatform('MT5', ref)
  const { platforms, keys } = place.server.dependencies
  const shown = newReference()
  const comment = platformComment({ key: keys.reference.bytes, shown, leg: 'deposit-credit', generation: 0 })
  await platforms.MT5.applyBalance({ ref: comment, login, amount: money(5_000n, 'EUR'), checkMargin: false })
  return { login, shown }
}
const openDeals = (login: string) =>
  rows<{ kind: string; state: string }>(
    place.server.dependencies.pool,
    sql`select kind, state from recovery_items where login = ${login} and kind <> 'account-found'`,
  )
const isEnabled = async (platform: 'MT4' | 'MT5', login: string) =>
  (await place.server.dependencies.platforms[platform].getAccount(login)).enabled

const openAsRestored = () => {
  const now = place.server.clock.now()
  return transaction(place.server.dependencies.pool, (tx) => openRecovery(tx, { sign: 'restored', since: now, now }))
}

async function recover(...more: string[]): Promise<string> {
  const { server } = place
  const since = new Date(server.clock.now().getTime() - 600_000).toISOString()
  const lines: string[] = []
  const argv = ['recover', '--since', since, ...more]
  await operate(readConfig(server.env), argv, (line) => lines.push(line), server.clock.now)
  return lines.join('\n')
}

test('accounts opened in the lost time are disabled, by group on MT5 and by the list on MT4, and shown to staff', async () => {
  const { server } = place
  const own = await makeFundedAccount(server, await makeClient(server), 10_000n)
  const opened = await openAtPlatform('MT5', operationRef(new Date()))
  const strangers = await openAtPlatform('MT5', 'opened-by-a-dealer')
  const listed = await openAtPlatform('MT4', operationRef(new Date()))
  const unlisted = await openAtPlatform('MT4', operationRef(new Date()))
  await openAsRestored()
  const list = join(readConfig(server.env).dataDir, 'logins.txt')
  writeFileSync(list, `${listed.login}\n999999999\n`)

  const output = await recover('--mt4-logins', list)
  expect(output).toContain('Accounts on the platforms that are not in this database: 2. Disabled on the platforms: 2.')
  expect(output).toContain('! Accounts not found on MT4: 999999999.')
  expect(await Promise.all([isEnabled('MT5', opened.login), isEnabled('MT4', listed.login)])).toEqual([false, false])
  const kept = [isEnabled('MT5', own.login), isEnabled('MT5', strangers.login), isEnabled('MT4', unlisted.login)]
  expect(await Promise.all(kept)).toEqual([true, true, true])

  const finance = await makeStaff(server, ['finance'])
  const { answer } = await call(server, getRecovery, { as: finance })
  const shown = answer.recovery?.unknownAccounts.map(({ platform, accountNumber, disabledAt }) => [
    platform,
    accountNumber,
    disabledAt !== null,
  ])
  expect(shown?.toSorted()).toEqual([
    ['MT4', listed.login, true],
    ['MT5', opened.login, true],
  ])
  expect(output).toContain('are available again')
  const events = await rows<{ verb: string }>(
    server.dependencies.pool,
    sql`select verb from events where kind = 'recovery' and verb = 'disableAccount'`,
  )
  expect(events).toHaveLength(2)

  // A second run changes nothing, not even what staff have enabled on the platform meanwhile.
  await server.dependencies.platforms.MT5.setEnabled(opened.login, true)
  expect(await recover()).toContain('Disabled on the platforms: 0.')
  expect(await isEnabled('MT5', opened.login)).toBe(true)
})

test('an unreadable account that may be one of them is reported, and the others are disabled', async () => {
  const { server } = place
  const [opened, hidden, unnumbered] = [
    await openAtPlatform('MT5', operationRef(new Date())),
    await openAtPlatform('MT5', operationRef(new Date())),
    await openAtPlatform('MT5', operationRef(new Date())),
  ]
  const strangers = await openAtPlatform('MT5', 'opened-by-a-dealer')
  const [unreadable, listed] = [
    await openAtPlatform('MT4', operationRef(new Date())),
    await openAtPlatform('MT4', operationRef(new Date())),
  ]
  await place.platform.turn('users/garble', { login: hidden.login, fields: { Comment: null } })
  await place.platform.turn('users/garble', { login: unnumbered.login, fields: { Login: 'n/a' } })
  await place.platform.turn('users/garble', { login: strangers.login, fields: { Login: null } })
  await gateway.turn('records/garble', { login: unreadable.login, fields: { leverage: 'n/a' } })
  await openAsRestored()
  const list = join(readConfig(server.env).dataDir, 'logins.txt')
  writeFileSync(list, `${unreadable.login}\n${listed.login}\n`)
  const output = await recover('--mt4-logins', list)
  expect(output).toContain('Accounts on the platforms that are not in this database: 2. Disabled on the platforms: 2.')
  expect(await Promise.all([isEnabled('MT5', opened.login), isEnabled('MT4', listed.login)])).toEqual([false, false])
  expect(output.match(/^! .*(?:cannot be read|follow the contract).*$/gm)).toEqual([
    expect.stringContaining(`! Account MT5 ${hidden.login}: the comment cannot be read. It may have been opened`),
    expect.stringMatching(/^! Group MT5 .*, account opened under .*: the number cannot be read\. Correct it/),
    `! Account MT4 ${unreadable.login}: The gateway's leverage does not follow the contract. Correct it on the platform. Then run recover again.`,
  ])
  expect(output).not.toContain('did not respond')
  await place.platform.turn('reset')
  await gateway.turn('reset')
  expect(await recover('--mt4-logins', list)).toContain(
    'Accounts on the platforms that are not in this database: 5. Disabled on the platforms: 3.',
  )
})

test('a group with an unreadable name is reported, and the accounts of other groups are disabled', async () => {
  const { login } = await openAtPlatform('MT5', operationRef(new Date()))
  const groups = [
    { name: 'real\\standard-EUR', currency: 'EUR' },
    { name: 17, currency: 'EUR' },
  ]
  await place.platform.turn('groups', { groups })
  await openAsRestored()
  const output = await recover()
  expect(output).toContain('Accounts on the platforms that are not in this database: 1. Disabled on the platforms: 1.')
  expect(await isEnabled('MT5', login)).toBe(false)
  expect(output.match(/^! .*group.*$/gim)).toEqual([
    '! MT5: The name of a group cannot be read: its deals may be ours. Correct it there. Then run recover again.',
    '! A group on MT5 whose name cannot be read: accounts of our clients may have been opened in it. Correct it on the platform. Then run recover again.',
  ])
  expect(output).not.toContain('did not respond')
  await place.platform.turn('groups', { groups: groups.slice(0, 1) })
  expect(await recover()).toContain('are available again')
})

test('two people can link an account to its client or keep it disabled', async () => {
  const { server } = place
  await openAsRestored()
  const two = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])] as const
  const client = await makeClient(server)
  // Opened by a dealer, according to its comment: the deal on it is ours.
  const [theirs, unowned] = [
    await makeAccountWithDeal(operationRef(new Date())),
    await makeAccountWithDeal('opened-by-a-dealer'),
  ]
  await recover()
  expect(await openDeals(theirs.login)).toEqual([{ kind: 'account-unknown', state: 'open' }])
  const unknown = await findOpenRecoveryItem(server, { leg: 'deposit-credit', reference: theirs.shown })
  for (const action of ['adopt', 'reverse'] as const) {
    const body = { version: unknown.version, action, reason: 'It is known whose it is' }
    const early = await call(server, proposeRecoveryItem, { as: two[0], params: { id: unknown.id }, body })
    expect(early.failure.code).toBe('recovery-action')
  }
  const rowOf = async (login: string) => {
    const { answer } = await call(server, getRecovery, { as: two[0] })
    return answer.recovery?.unknownAccounts.find(({ accountNumber }) => accountNumber === login)
  }
  expect(await rowOf(theirs.login)).toMatchObject({ source: 'group', item: { state: 'open', action: null } })
  const decide = async (login: string, body: object, confirming = two[1]) => {
    const id = (await rowOf(login))?.item?.id ?? ''
    const shown = await call(server, getRecoveryItem, { as: two[0], params: { id } })
    const { version, state } = shown.answer.item
    if (state === 'open') {
      const proposal = { version, reason: 'Name and email are those at the platform', ...body } as never
      const proposed = await call(server, proposeRecoveryItem, { as: two[0], params: { id }, body: proposal })
      if (proposed.status !== 200) return proposed
    }
    const now = (await call(server, getRecoveryItem, { as: two[0], params: { id } })).answer.item.version
    return call(server, confirmRecoveryItem, { as: confirming, params: { id }, body: { version: now } })
  }
  const link = { action: 'adopt', clientEmail: client.email }
  expect((await decide(theirs.login, { action: 'reverse' })).failure.code).toBe('recovery-choice')
  expect((await decide(theirs.login, { action: 'adopt' })).failure.code).toBe('required')
  expect((await decide(theirs.login, { ...link, clientEmail: 'absent@example.com' })).failure.code).toBe(
    'client-unknown',
  )
  expect((await decide(theirs.login, link, two[0])).failure.code).toBe('own-act')
  const owned = async () =>
    rows(
      server.dependencies.pool,
      sql`select client_id as "clientId", state, request_type as type, acc_type as kind, leverage, currency
          from trading_accounts where platform = 'MT5' and login = ${theirs.login}`,
    )
  expect(await owned()).toEqual([])
  const done = await decide(theirs.login, link)
  expect(done.status, done.bytes.toString()).toBe(200)
  expect(await owned()).toEqual([
    { clientId: client.id, state: 'approved', type: 'live', kind: 'Standard', leverage: 30, currency: 'EUR' },
  ])
  expect(await rowOf(theirs.login)).toBeUndefined()
  expect(await isEnabled('MT5', theirs.login)).toBe(false)

  expect(await openDeals(theirs.login)).toEqual([{ kind: 'request-lost', state: 'open' }])
  const deal = await findOpenRecoveryItem(server, { leg: 'deposit-credit', reference: theirs.shown })
  const alone = { version: deal.version, action: 'adopt' as const, reason: 'The receipt was sent' }
  const proposing = { as: two[0], params: { id: deal.id }, body: { ...alone, depositType: 'cc_gcen' as const } }
  expect((await call(server, proposeRecoveryItem, proposing)).status).toBe(200)
  const confirming = { as: two[1], params: { id: deal.id }, body: { version: deal.version + 1 } }
  const booked = await call(server, confirmRecoveryItem, confirming)
  expect(booked.status, booked.bytes.toString()).toBe(200)
  expect(await openDeals(theirs.login)).toEqual([{ kind: 'request-lost', state: 'settled' }])

  expect((await decide(unowned.login, { action: 'keep' })).status).toBe(200)
  // Deals on an account without a client are decided with the account.
  expect(await openDeals(unowned.login)).toEqual([{ kind: 'account-unknown', state: 'settled' }])
  await recover()
  expect(await rowOf(unowned.login)).toMatchObject({ source: 'deal', item: { state: 'settled', action: 'keep' } })
  expect(await isEnabled('MT5', unowned.login)).toBe(false)
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
})

test('an account that the operator finds after recovery was closed is also disabled and decided', async () => {
  const { server } = place
  const late = await openAtPlatform('MT4', 'opened-by-a-dealer')
  const list = join(readConfig(server.env).dataDir, 'late.txt')
  writeFileSync(list, `${late.login}\n`)
  expect(await recover('--mt4-logins', list)).toContain('No recovery is open, and nothing was done. After a restore,')
  await openAsRestored()
  await recover()
  await endRecovery(server, [])
  const output = await recover('--mt4-logins', list)
  expect(output).toContain(
    'No recovery is open. Only the search for accounts that are missing from this database was run.',
  )
  expect(output).toContain('Accounts on the platforms that are not in this database: 1. Disabled on the platforms: 1.')
  expect(await isEnabled('MT4', late.login)).toBe(false)
  const finance = await makeStaff(server, ['finance'])
  const { answer } = await call(server, listRecoveryItems, { as: finance, query: {} })
  expect(answer.rows).toMatchObject([{ kind: 'account-found', state: 'open', accountNumber: late.login }])
  expect((await call(server, getRecovery, { as: finance })).answer.recovery).toBeNull()
})

test('an invalid or unreadable list is rejected before anything is read', async () => {
  const list = join(readConfig(place.server.env).dataDir, 'wrong.txt')
  writeFileSync(list, '100001 and others')
  expect(await recover('--mt4-logins', list)).toContain('"and" in')
  expect(await recover('--mt4-logins', '/nowhere.txt')).toContain('/nowhere.txt could not be read.')
})
