/** Role × verb × state over HTTP, every cell tried: exactly the steps of the tables in rules/ succeed (quality-bar B7). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { officeEndpoints } from '#contract/endpoints.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { lives } from '#rules/lives.ts'
import { decidersOf } from '#rules/permissions.ts'
import { row, run, sql, type Sql } from '#server/db/sql.ts'
import {
  call,
  makeAccount,
  makeClient,
  makeStaff,
  type MadeClient,
  type MadeStaff,
  type TestServer,
} from '../../tests/make.ts'
import {
  approvedBank,
  fundedAccount,
  startServerWithPlatform,
  type ServerWithPlatform,
} from '../../tests/funded-account.ts'

/** Every decision of staff: the life, its verb, and the endpoint's name. */
const decisions: readonly (readonly [life: string, verb: string, name: string])[] = [
  ['client', 'approve', 'approveClient'],
  ['client', 'reject', 'rejectClient'],
  ['client', 'suspend', 'suspendClient'],
  ['client', 'reactivate', 'reactivateClient'],
  ['client', 'close', 'closeClient'],
  ['document', 'approve', 'approveDocument'],
  ['document', 'reject', 'rejectDocument'],
  ['document', 'askAgain', 'askDocumentAgain'],
  ['account', 'approve', 'approveAccount'],
  ['account', 'reject', 'rejectAccount'],
  ['leverage_request', 'approve', 'approveLeverage'],
  ['leverage_request', 'reject', 'rejectLeverage'],
  ['bank_details', 'approve', 'approveBankDetails'],
  ['bank_details', 'reject', 'rejectBankDetails'],
  ['deposit', 'match', 'matchDeposit'],
  ['deposit', 'reject', 'rejectDeposit'],
  ['bank_line', 'confirm', 'confirmLine'],
  ['bank_line', 'reject', 'rejectLine'],
  ['bank_line', 'sendBack', 'sendBackLine'],
  ['withdrawal', 'approve', 'approveWithdrawal'],
  ['withdrawal', 'confirm', 'confirmWithdrawal'],
  ['withdrawal', 'reject', 'rejectWithdrawal'],
  ['withdrawal', 'pay', 'payWithdrawal'],
  ['withdrawal', 'return', 'returnWithdrawal'],
  ['transfer', 'approve', 'approveTransfer'],
  ['transfer', 'reject', 'rejectTransfer'],
  ['professional', 'approve', 'approveProfessional'],
  ['professional', 'reject', 'rejectProfessional'],
  ['professional', 'askMore', 'askMoreProfessional'],
  ['professional', 'reverse', 'reverseProfessional'],
  ['profile_change', 'approve', 'approveProfileChange'],
  ['profile_change', 'reject', 'rejectProfileChange'],
  ['correction', 'approve', 'approveCorrection'],
  ['correction', 'reject', 'rejectCorrection'],
  ['difference', 'explain', 'explainDifference'],
  ['setting_change', 'approve', 'approveSettingChange'],
  ['setting_change', 'reject', 'rejectSettingChange'],
  ['setting_change', 'cancel', 'cancelSettingChange'],
  ['staff_change', 'approve', 'approveStaffChange'],
  ['staff_change', 'reject', 'rejectStaffChange'],
  ['staff_change', 'cancel', 'cancelStaffChange'],
  ['staff', 'deactivate', 'deactivateStaff'],
  ['staff', 'inviteAgain', 'inviteStaffAgain'],
]

let place: ServerWithPlatform
let server: TestServer
let client: MadeClient
let account: { id: string; login: string }
let other: { id: string; login: string }
let bankId: string
let colleague: MadeStaff
const staff = new Map<StaffRole, MadeStaff>()
beforeAll(async () => {
  place = await startServerWithPlatform()
  server = place.server
  client = await makeClient(server)
  account = await fundedAccount(server, client, 100_000_000n)
  other = await fundedAccount(server, client, 0n)
  bankId = await approvedBank(server, client)
  colleague = await makeStaff(server, ['administrator'])
  for (const role of staffRoles) staff.set(role, await makeStaff(server, [role]))
})
afterAll(() => place.stop())

async function written(statement: Sql): Promise<string> {
  const made = await row<{ id: string }>(server.parts.pool, statement)
  if (!made) throw new Error('nothing was written')
  return made.id
}

async function bankLine(state: string, typedBy: string | null = null): Promise<string> {
  return written(sql`insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, remittance, booked_on, state, typed_by, created_at)
    values ('DE91100000000123456789', ${randomUUID()}, 100, 'EUR', 'Hannah Brandt', 'CR', '2026-06-18', ${state}, ${typedBy}, ${server.clock.now()}) returning id`)
}

const reserve = (subject: string, record: string) =>
  run(
    server.parts.pool,
    sql`insert into reservations (account_id, subject, record, amount_minor, created_at) values (${account.id}, ${subject}, ${record}, 100, ${server.clock.now()})`,
  )

/** A record of each life in a state. `actor` is who will try; `verb` is what. */
const makers: Readonly<Record<string, (state: string, actor: MadeStaff, verb: string) => Promise<string>>> = {
  client: async (state) =>
    (await makeClient(server, { state: state as never, identityApproved: true, addressApproved: true })).id,
  document: async (state) => {
    const { id } = await makeClient(server, { state: 'pending' })
    return written(sql`insert into documents (client_id, kind, state, country, document_number, expiry_date, created_at)
      values (${id}, 'passport', ${state}, 'DE', 'C01X00T47', '2031-01-01', ${server.clock.now()}) returning id`)
  },
  account: async (state) => (await makeAccount(server, client, { state: state as never })).id,
  leverage_request: async (state) => {
    const professional = await makeClient(server, { clientStatus: 'professional' })
    const own = await makeAccount(server, professional, { clientStatus: 'professional' })
    return written(sql`insert into leverage_requests (client_id, account_id, from_leverage, to_leverage, state, requested_at)
      values (${professional.id}, ${own.id}, 30, 50, ${state}, ${server.clock.now()}) returning id`)
  },
  bank_details: async (state) =>
    written(sql`insert into bank_details (client_id, bank_name, bank_address, bank_country, currency, iban, swift, state, added_at)
      values (${client.id}, 'Example Bank AG', 'Berlin', 'DE', 'EUR', 'DE02120300000000202051', 'BYLADEM1001', ${state}, ${server.clock.now()}) returning id`),
  deposit: async (state) =>
    written(sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state, requested_at, expires_at)
      values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 100, 'EUR', ${randomUUID()}, ${state}, ${server.clock.now()}, '2027-01-01') returning id`),
  bank_line: (state) => bankLine(state, colleague.id),
  withdrawal: async (state) => {
    const past = !['pending', 'rejected', 'cancelled'].includes(state)
    const bank = JSON.stringify({
      bankName: 'Example Bank AG',
      bankAddress: '',
      bankCountry: 'DE',
      iban: 'DE02120300000000202051',
      swift: 'BYLADEM1001',
      accountNumber: null,
      sortCode: null,
      holder: 'Hannah Brandt',
      version: 1,
    })
    const id =
      await written(sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference, state, figures, threshold_minor, approved_by, requested_at)
      values (${client.id}, ${account.id}, ${bankId}, ${bank}::jsonb, 'wire', 'Bank Transfer', 100, 'EUR', ${randomUUID()}, ${state}, '{}', ${past ? 1_000_000 : null}, ${past ? colleague.id : null}, ${server.clock.now()}) returning id`)
    if (['pending', 'second_approval', 'processing'].includes(state)) await reserve('withdrawal', id)
    return id
  },
  transfer: async (state) => {
    const id =
      await written(sql`insert into transfers (client_id, source_account, destination_account, amount_minor, currency, rate, arrives_minor, arrives_currency, reference, state, figures, requested_at)
      values (${client.id}, ${account.id}, ${other.id}, 100, 'EUR', '1', 100, 'EUR', ${randomUUID()}, ${state}, '{}', ${server.clock.now()}) returning id`)
    if (state === 'pending') await reserve('transfer', id)
    return id
  },
  professional: async (state) => {
    const { id } = await makeClient(server)
    const yes = JSON.stringify({ trades: 'Yes', portfolio: 'Yes', experience: 'Yes' })
    return written(
      sql`insert into professional_applications (client_id, answers, state, submitted_at) values (${id}, ${yes}::jsonb, ${state}, ${server.clock.now()}) returning id`,
    )
  },
  profile_change: async (state) => {
    const { id } = await makeClient(server)
    return written(sql`insert into profile_changes (client_id, field, from_value, to_value, state, requested_at)
      values (${id}, 'name', 'Hannah', 'Anna', ${state}, ${server.clock.now()}) returning id`)
  },
  correction: async (state) =>
    written(sql`insert into corrections (account_id, amount_minor, currency, state, reason, asked_by, asked_at)
      values (${account.id}, 100, 'EUR', ${state}, 'x', ${colleague.id}, ${server.clock.now()}) returning id`),
  difference: async (state) =>
    written(sql`insert into differences (kind, account_id, facts, fingerprint, state, found_at)
      values ('platform-only', ${account.id}, '{}', ${randomUUID()}, ${state}, ${server.clock.now()}) returning id`),
  setting_change: async (state, actor, verb) => {
    await run(server.parts.pool, sql`delete from setting_changes where state = 'pending'`)
    const asker = verb === 'cancel' ? actor.id : colleague.id
    const standing = await row<{ version: number }>(
      server.parts.pool,
      sql`select coalesce(max(version), 0)::int as version from settings where section = 'rates'`,
    )
    const value = JSON.stringify({ pairs: { 'EUR/USD': `1.${Math.floor(1000 + Math.random() * 8999)}` }, asOf: null })
    return written(sql`insert into setting_changes (section, base_version, value, state, reason, asked_by, asked_at)
      values ('rates', ${standing?.version ?? 0}, ${value}::jsonb, ${state}, 'x', ${asker}, ${server.clock.now()}) returning id`)
  },
  staff_change: async (state, actor, verb) => {
    const { id } = await makeStaff(server, ['operations'])
    return written(sql`insert into staff_changes (staff_id, roles, state, reason, asked_by, asked_at)
      values (${id}, array['finance'], ${state}, 'x', ${verb === 'cancel' ? actor.id : colleague.id}, ${server.clock.now()}) returning id`)
  },
  staff: async (state) => {
    const { id } = await makeStaff(server, ['operations'])
    await run(server.parts.pool, sql`update staff set state = ${state} where id = ${id}`)
    return id
  },
}

async function bodyOf(name: string): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = { version: 1 }
  const endpoint = officeEndpoints.find((one) => one.name === name)
  if (!endpoint) throw new Error(`there is no ${name}`)
  const takes = Object.keys((endpoint.body as unknown as { shape: object }).shape)
  if (takes.includes('reason')) body['reason'] = 'every cell is tried'
  if (takes.includes('accounts')) body['accounts'] = []
  if (takes.includes('lineId')) Object.assign(body, { lineId: await bankLine('unmatched'), lineVersion: 1 })
  return body
}

describe.each(decisions)('%s.%s', (lifeName, verb, name) => {
  const life = lives.find((one) => one.name === lifeName)
  const endpoint = officeEndpoints.find((one) => one.name === name)
  const step = life?.steps[verb]
  if (!life || !endpoint || !step) throw new Error(`${lifeName}.${verb} is no decision`)

  test.each(life.states.flatMap((state) => staffRoles.map((role) => [state, role] as const)))(
    'from %s by %s',
    async (state, role) => {
      const as = staff.get(role)
      const make = makers[lifeName]
      if (!as || !make) throw new Error('nothing makes such a record')
      const id = await make(state, as, verb)
      const { status, json } = await call(server, endpoint, { as, params: { id }, body: await bodyOf(name) })
      const { code } = json as { code?: string }
      if (!decidersOf(life, verb).includes(role)) expect([status, code]).toEqual([403, 'wrong-role'])
      else if (!step.from.includes(state))
        expect([status, ['wrong-state', 'decided-meanwhile', 'decided-by'].includes(code ?? '')]).toEqual([409, true])
      else expect([status, code]).toEqual([200, undefined])
    },
  )
})

test('every verb of staff in every life is tried here', () => {
  const isStaff = (actor: string) => (staffRoles as readonly string[]).includes(actor)
  const all = lives.flatMap((life) =>
    Object.entries(life.steps)
      .filter(([, step]) => step.by.some(isStaff))
      .map(([verb]) => `${life.name}.${verb}`),
  )
  // A line is matched by the deposit's verb; a person's own first sign-in enrols.
  const elsewhere = ['bank_line.match', 'staff.enrol']
  expect(decisions.map(([life, verb]) => `${life}.${verb}`).toSorted()).toEqual(
    all.filter((one) => !elsewhere.includes(one)).toSorted(),
  )
})
