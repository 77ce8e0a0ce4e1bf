/** Clients with shared data: named to compliance, counted for others, shown nowhere else (requirements 24.9, 24.36). */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getOfficeClient } from '#contract/office/clients.ts'
import { evidenceBundle } from '#contract/office/records.ts'
import type { StaffRole } from '#rules/actors.ts'
import { row, run } from '#server/db/sql.ts'
import { bankDetailsOf, madeBank } from '#tests/bank-details.ts'
import { call, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { textsOfZip } from '#tests/files.ts'
import { serverForFile } from '#tests/for-file.ts'
import { chainAllEvents } from '#tests/chain-all-events.ts'
import { linkClients } from './link-digests.ts'

const server = serverForFile({ now: new Date('2026-06-19T09:44:00Z') })

let made = 0
/** Makes a client who shares no data with others. */
async function makeUnrelatedClient(traits: Parameters<typeof makeClient>[1] = {}): Promise<MadeClient> {
  made += 1
  const client = await makeClient(server, {
    mobilePhone: `+49 30 ${1_000_000 + made}`,
    addressNo: String(made),
    ...traits,
  })
  await run(server.dependencies.pool)`update sessions set address = ${`192.0.2.${made}`} where client_id = ${client.id}`
  return client
}

function insertBankDetails(client: MadeClient, iban: string): Promise<unknown> {
  return run(server.dependencies.pool, bankDetailsOf(client.id, iban, 'pending', server.clock.now()))
}

async function insertSession(client: MadeClient, at: string, address: string, device: string): Promise<void> {
  await run(server.dependencies.pool)`
    insert into sessions (audience, client_id, created_at, last_seen_at, idle_seconds, ends_at, device, address)
      values ('portal', ${client.id}, ${at}, ${at}, 900, ${at}, ${device}, ${address})`
}

/** Runs the linking job, which follows the audit log, after an event for each client. */
async function runLinkingJob(...clients: readonly MadeClient[]): Promise<void> {
  for (const { id } of clients)
    await run(server.dependencies.pool)`
      insert into events (at, kind, record, client_id, verb, actor) values (${server.clock.now()}, 'client', ${id}, ${id}, 'note', 'clock')`
  await chainAllEvents(server)
  await linkClients(server.dependencies)
}

async function linksSeenBy(role: StaffRole, { id }: MadeClient) {
  const { answer } = await call(server, getOfficeClient, { as: await makeStaff(server, [role]), params: { id } })
  return answer.client.linked
}
const namesOf = (found: Awaited<ReturnType<typeof linksSeenBy>>) =>
  Object.fromEntries((found.clients ?? []).map(({ id, kinds }) => [id, kinds]))

test('clients with shared data are named to compliance and administrators with what they share, and counted for others', async () => {
  const one = await makeUnrelatedClient({ surname: 'Weidmann', mobilePhone: '+44 20 7946 0991' })
  const sameBank = await makeUnrelatedClient()
  const samePhone = await makeUnrelatedClient({ mobilePhone: '+442079460991' })
  const sameHome = await makeUnrelatedClient({
    city: 'london',
    postcode: 'ec1a 1bb',
    addressNo: '7-B',
    address: 'High Street',
  })
  await run(server.dependencies.pool)`
    update clients set city = 'London', postcode = 'EC1A1BB', address_no = '7 b', address = 'High street' where id = ${one.id}`
  await run(server.dependencies.pool)`update clients set country = 'GB' where id in (${one.id}, ${sameHome.id})`
  await insertBankDetails(one, madeBank.bankIBAN)
  await insertBankDetails(sameBank, madeBank.bankIBAN)
  await runLinkingJob(one, sameBank, samePhone, sameHome)
  const shared = { [sameBank.id]: ['bank'], [samePhone.id]: ['phone'], [sameHome.id]: ['address'] }
  for (const role of ['compliance', 'administrator'] as const) {
    const found = await linksSeenBy(role, one)
    expect(found.count).toBe(3)
    expect(namesOf(found)).toEqual(shared)
  }
  for (const role of ['operations', 'finance', 'auditor'] as const)
    expect(await linksSeenBy(role, one)).toEqual({ count: 3, clients: null })
  expect(namesOf(await linksSeenBy('compliance', samePhone))).toEqual({ [one.id]: ['phone'] })

  const kept = await row<{ text: string }>(
    server.dependencies.pool,
  )`select string_agg(d::text, ' ') as text from link_digests d`
  expect(kept?.text).not.toMatch(/2079460991|DE0212|london/i)

  const body = { reason: 'An access request' }
  const officer = await makeStaff(server, ['compliance'])
  const bundle = await call(server, evidenceBundle, { as: officer, params: { id: sameBank.id }, body })
  const files = Object.values(textsOfZip(bundle.bytes))
  expect(files.join()).toContain(sameBank.id)
  expect(files.join()).not.toMatch(new RegExp(`Weidmann|${one.id}`))
})

test('changing the shared data removes the link, and an erasure deletes the digests', async () => {
  const one = await makeUnrelatedClient({ mobilePhone: '+49 30 555' })
  const other = await makeUnrelatedClient({ mobilePhone: '+49 30 555' })
  await runLinkingJob(one, other)
  expect(namesOf(await linksSeenBy('compliance', one))).toEqual({ [other.id]: ['phone'] })
  await run(server.dependencies.pool)`update clients set mobile_phone = '+49 30 556' where id = ${other.id}`
  await runLinkingJob(other)
  expect(await linksSeenBy('compliance', one)).toEqual({ count: 0, clients: [] })
  await run(server.dependencies.pool)`update clients set erased_at = ${server.clock.now()} where id = ${one.id}`
  await runLinkingJob(one)
  expect(await row(server.dependencies.pool)`select 1 from link_digests where client_id = ${one.id}`).toBeNull()
})

test('a shared device means the same network and browser family within 24 hours, until its session is deleted', async () => {
  const firefox = (version: number) =>
    `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
  const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  const [one, within, later, otherBrowser, otherNetwork] = await Promise.all(
    Array.from({ length: 5 }, () => makeUnrelatedClient()),
  )
  if (!one || !within || !later || !otherBrowser || !otherNetwork) throw new Error('not made')
  await insertSession(one, '2026-06-10T10:00Z', '2001:db8:7:1::9', firefox(140))
  await insertSession(within, '2026-06-11T09:59Z', '2001:db8:7:1::aa', firefox(141))
  await insertSession(later, '2026-06-11T10:01Z', '2001:db8:7:1::9', firefox(140))
  await insertSession(otherBrowser, '2026-06-10T10:00Z', '2001:db8:7:1::9', chrome)
  await insertSession(otherNetwork, '2026-06-10T10:00Z', '2001:db8:7:2::9', firefox(140))
  await runLinkingJob(one, within, later, otherBrowser, otherNetwork)
  expect(namesOf(await linksSeenBy('compliance', one))).toEqual({ [within.id]: ['device'] })
  await run(server.dependencies.pool)`delete from sessions where client_id = ${within.id} and address like '2001:%'`
  expect((await linksSeenBy('compliance', one)).count).toBe(0)
})

test.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.7', '::ffff:172.16.0.9', 'fd00::7', 'fe80::1'])(
  'the private address %s does not link clients',
  async (address) => {
    const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const [one, other] = [await makeUnrelatedClient(), await makeUnrelatedClient()]
    await insertSession(one, '2026-06-10T10:00Z', address, browser)
    await insertSession(other, '2026-06-10T10:00Z', address, browser)
    await runLinkingJob(one, other)
    expect((await linksSeenBy('compliance', one)).count).toBe(0)
  },
)

test('the same document number of the same country links clients regardless of its spelling', async () => {
  const [one, other] = [await makeUnrelatedClient(), await makeUnrelatedClient()]
  for (const [client, number] of [
    [one, 'L01X00-T47'],
    [other, 'l01x00t47'],
  ] as const)
    await run(server.dependencies.pool)`
      insert into documents (id, client_id, kind, country, document_number, expiry_date, state, created_at)
        values (${randomUUID()}, ${client.id}, 'passport', 'DE', ${number}, '2030-01-01', 'uploaded', ${server.clock.now()})`
  await runLinkingJob(one, other)
  expect(namesOf(await linksSeenBy('compliance', one))).toEqual({ [other.id]: ['document'] })
})
