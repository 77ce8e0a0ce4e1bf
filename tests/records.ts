/** Records of every life, written straight into the tables in the state that a test needs. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { referenceFrom } from '#rules/references.ts'
import { row, run, sql, type Sql } from '#server/db/sql.ts'
import {
  makeAccount,
  makeClient,
  makeStaff,
  type MadeAccount,
  type MadeClient,
  type MadeStaff,
  type TestServer,
} from './factories.ts'

const shownReference = () => referenceFrom('CR', randomBytes(5))

/** Whose the records are. */
export interface Ground {
  readonly server: TestServer
  readonly client: MadeClient
  readonly account: MadeAccount
  /** A second account of the client. */
  readonly other: MadeAccount
  readonly bankId: string
  /** Who asked for what staff ask each other. */
  readonly colleague: MadeStaff
}

/** `actor` is who will try something with the record; `verb` is what. */
type Maker = (ground: Ground, state: string, actor: MadeStaff, verb: string) => Promise<string>

/** Writes a record of each life in a state, under the life's name; answers its id. */
export const recordMakers: Readonly<Record<string, Maker>> = {
  client: async (ground, state) =>
    (await makeClient(ground.server, { state: state as never, identityApproved: true, addressApproved: true })).id,
  document: async (ground, state) => {
    const { id } = await makeClient(ground.server, { state: 'pending' })
    return written(
      ground,
      sql`insert into documents (client_id, kind, state, country, document_number, expiry_date, created_at)
      values (${id}, 'passport', ${state}, 'DE', 'C01X00T47', '2031-01-01', ${ground.server.clock.now()}) returning id`,
    )
  },
  account: async (ground, state) => (await makeAccount(ground.server, ground.client, { state: state as never })).id,
  leverage_request: async (ground, state) => {
    const professional = await makeClient(ground.server, { clientStatus: 'professional' })
    const own = await makeAccount(ground.server, professional, { clientStatus: 'professional' })
    return written(
      ground,
      sql`insert into leverage_requests (client_id, account_id, from_leverage, to_leverage, state, requested_at)
      values (${professional.id}, ${own.id}, 30, 50, ${state}, ${ground.server.clock.now()}) returning id`,
    )
  },
  bank_details: async (ground, state) =>
    written(
      ground,
      sql`insert into bank_details (client_id, bank_name, bank_address, bank_country, currency, iban, swift, holder_name, state, added_at)
      values (${ground.client.id}, 'Example Bank AG', 'Berlin', 'DE', 'EUR', 'DE02120300000000202051', 'BYLADEM1001', 'Hannah Brandt', ${state}, ${ground.server.clock.now()}) returning id`,
    ),
  deposit: async (ground, state) =>
    written(
      ground,
      sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state, requested_at, expires_at)
      values (${ground.client.id}, ${ground.account.id}, 'wire', 'Bank Transfer', 'bank', 100, 'EUR', ${shownReference()}, ${state}, ${ground.server.clock.now()}, '2027-01-01') returning id`,
    ),
  bank_line: (ground, state) => bankLine(ground, state, ground.colleague.id),
  withdrawal: async (ground, state, _actor, verb) => {
    const id = await withdrawalIn(ground, state)
    if (verb === 'approveLastBalance' || verb === 'rejectLastBalance') await asLastBalance(ground, id)
    if (verb === 'reverse' || verb === 'dropReversal')
      await run(
        ground.server.parts.pool,
        sql`update withdrawals set reversal_asked_by = ${ground.colleague.id}, reversal_asked_at = ${ground.server.clock.now()} where id = ${id}`,
      )
    return id
  },
  payout_batch: async (ground, state) => {
    const { pool } = ground.server.parts
    const now = ground.server.clock.now()
    const settled = ['sent', 'partly_returned', 'closed'].includes(state)
    const payment = await withdrawalIn(ground, settled ? 'paid' : 'approved')
    const [by, hash] =
      state === 'created' ? [null, null] : [(await makeStaff(ground.server, ['finance'])).id, '0'.repeat(64)]
    const asker = state.startsWith('void') ? ground.colleague.id : null
    const id = await written(
      ground,
      sql`insert into payout_batches (currency, state, count, total_minor, sha256, created_by, created_at, released_by,
            released_at, void_asked_by, void_asked_at)
          values ('EUR', ${state}, 1, 100, ${hash}, ${ground.colleague.id}, ${now}, ${by}::uuid,
            ${by === null ? null : now}, ${asker}::uuid, ${asker === null ? null : now}) returning id`,
    )
    await run(
      pool,
      sql`insert into payout_batch_payments (batch_id, withdrawal_id, live) values (${id}, ${payment}, ${state !== 'void'})`,
    )
    return id
  },
  payout_stop: async (ground, state) => {
    const line = await bankLine(ground, 'unmatched')
    const explained = state === 'open' ? null : ground.colleague.id
    return written(
      ground,
      sql`insert into payout_stops (bank_line, reference, amount_minor, currency, state, explained_by, created_at)
      values (${line}, 'CR-00000000', -100, 'EUR', ${state}, ${explained}::uuid, ${ground.server.clock.now()}) returning id`,
    )
  },
  transfer: async (ground, state) => {
    const id = await written(
      ground,
      sql`insert into transfers (client_id, source_account, destination_account, amount_minor, currency, rate, arrives_minor, arrives_currency, reference, state, figures, requested_at)
      values (${ground.client.id}, ${ground.account.id}, ${ground.other.id}, 100, 'EUR', '1', 100, 'EUR', ${shownReference()}, ${state}, '{}', ${ground.server.clock.now()}) returning id`,
    )
    if (state === 'pending' || state === 'processing') await reserve(ground, 'transfer', id)
    if (state === 'processing') await heldDebit(ground, 'transfer', 'transfer-withdraw', id)
    return id
  },
  professional: async (ground, state) => {
    const { id } = await makeClient(ground.server)
    const yes = JSON.stringify({ trades: 'Yes', portfolio: 'Yes', experience: 'Yes' })
    return written(
      ground,
      sql`insert into professional_applications (client_id, answers, state, submitted_at) values (${id}, ${yes}::jsonb, ${state}, ${ground.server.clock.now()}) returning id`,
    )
  },
  profile_change: async (ground, state) => {
    const { id } = await makeClient(ground.server)
    return written(
      ground,
      sql`insert into profile_changes (client_id, field, from_value, to_value, state, requested_at)
      values (${id}, 'name', 'Hannah', 'Anna', ${state}, ${ground.server.clock.now()}) returning id`,
    )
  },
  correction: async (ground, state) =>
    written(
      ground,
      sql`insert into corrections (account_id, amount_minor, currency, reference, state, reason, asked_by, asked_at)
      values (${ground.account.id}, 100, 'EUR', ${shownReference()}, ${state}, 'x', ${ground.colleague.id}, ${ground.server.clock.now()}) returning id`,
    ),
  firm_money: async (ground, state) => {
    const line = state === 'approved' ? await bankLine(ground, 'own_money') : null
    return written(
      ground,
      sql`insert into firm_money_moves (reference, amount_minor, currency, state, reason, bank_line, asked_by, asked_at)
      values (${randomUUID()}, 100, 'EUR', ${state}, 'x', ${line}::uuid, ${ground.colleague.id}, ${ground.server.clock.now()}) returning id`,
    )
  },
  recovery_item: async (ground, state) => {
    const correction = await recordMakers['correction']?.(ground, 'pending', ground.colleague, '')
    return written(
      ground,
      sql`insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg,
            subject, record, account_id, client_id, state, action, proposed_by, found_at)
          select 'decision-lost', 'MT5', ${ground.account.login}, ${randomUUID()}, k.reference, 100, 'EUR',
            ${ground.server.clock.now()}, k.reference, 'correction', 'correction', k.id, k.account_id, ${ground.client.id},
            ${state}, ${state === 'open' ? null : 'adopt'}, ${state === 'open' ? null : ground.colleague.id}::uuid,
            ${ground.server.clock.now()}
          from corrections k where k.id = ${correction ?? null}::uuid returning id`,
    )
  },
  // One person explains what holds no account; what holds one is decided by two, here on an account of its own.
  difference: async (ground, state, _actor, verb) => {
    const { server, client, colleague } = ground
    const now = server.clock.now()
    const alone = verb === 'explain' && !['proposed', 'processing', 'settled'].includes(state)
    const { id: account } = await makeAccount(server, client)
    const proposed = ['open', 'gone'].includes(state) || alone ? null : colleague.id
    return written(
      ground,
      sql`insert into differences (kind, account_id, facts, fingerprint, state, found_at, proposal, proposed_by, proposed_at)
      values (${verb === 'explain' ? 'bank-outgoing' : 'ledger-only'}, ${account}, '{}', ${randomUUID()}, ${state}, ${now},
        ${proposed && 'explain'}, ${proposed}, ${proposed && now}) returning id`,
    )
  },
  setting_change: async (ground, state, actor, verb) => {
    await run(ground.server.parts.pool, sql`delete from setting_changes where state = 'pending'`)
    const asker = verb === 'cancel' ? actor.id : ground.colleague.id
    const standing = await row<{ version: number }>(
      ground.server.parts.pool,
      sql`select coalesce(max(version), 0)::int as version from settings where section = 'rates'`,
    )
    const value = JSON.stringify({ pairs: { 'EUR/USD': `1.${randomInt(1000, 9999)}` }, asOf: null })
    return written(
      ground,
      sql`insert into setting_changes (section, base_version, value, state, reason, asked_by, asked_at)
      values ('rates', ${standing?.version ?? 0}, ${value}::jsonb, ${state}, 'x', ${asker}, ${ground.server.clock.now()}) returning id`,
    )
  },
  staff_change: async (ground, state, actor, verb) => {
    const { id } = await makeStaff(ground.server, ['operations'])
    return written(
      ground,
      sql`insert into staff_changes (staff_id, roles, state, reason, asked_by, asked_at)
      values (${id}, array['finance'], ${state}, 'x', ${verb === 'cancel' ? actor.id : ground.colleague.id}, ${ground.server.clock.now()}) returning id`,
    )
  },
  factor_reset: async (ground, state, actor, verb) => {
    const { id } = await makeClient(ground.server)
    const now = ground.server.clock.now()
    await run(ground.server.parts.pool, sql`update clients set factor_confirmed_at = ${now} where id = ${id}`)
    return written(
      ground,
      sql`insert into factor_resets (id, state, reason, asked_by, asked_at) values (${id}, ${state}, 'x',
        ${verb === 'cancel' ? actor.id : ground.colleague.id}, ${now}) returning id`,
    )
  },
  erasure: async (ground, state, actor, verb) => {
    const { id } = await makeClient(ground.server, { state: 'closed' })
    return written(
      ground,
      sql`insert into erasures (id, asked_for, state, reason, asked_by, asked_at) values (${id}, 'client', ${state}, 'x',
        ${verb === 'cancel' ? actor.id : ground.colleague.id}, ${ground.server.clock.now()}) returning id`,
    )
  },
  staff: async (ground, state) => {
    const now = ground.server.clock.now()
    return written(
      ground,
      sql`insert into staff (email, name, roles, state, created_at)
          values (${`staff-${randomUUID().slice(0, 8)}@example.com`}, 'Tom Reyes', array['operations'], ${state}, ${now})
          returning id`,
    )
  },
}

async function withdrawalIn(ground: Ground, state: string): Promise<string> {
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
  const id = await written(
    ground,
    sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference, state, figures, threshold_minor, approved_by, requested_at)
    values (${ground.client.id}, ${ground.account.id}, ${ground.bankId}, ${bank}::jsonb, 'wire', 'Bank Transfer', 100, 'EUR', ${shownReference()}, ${state}, '{}', ${past ? 1_000_000 : null}, ${past ? ground.colleague.id : null}, ${ground.server.clock.now()}) returning id`,
  )
  if (['pending', 'second_approval', 'processing'].includes(state)) await reserve(ground, 'withdrawal', id)
  if (state === 'processing') await heldDebit(ground, 'withdrawal', 'withdrawal-debit', id)
  return id
}

/** Entered by somebody of finance, with its account holder. */
async function asLastBalance({ server, bankId }: Ground, id: string): Promise<void> {
  const { id: by } = await makeStaff(server, ['finance'])
  await run(server.parts.pool, sql`update withdrawals set entered_by = ${by} where id = ${id}`)
  await run(server.parts.pool, sql`update bank_details set holder_name = 'Hannah Brandt' where id = ${bankId}`)
}

async function written(ground: Pick<Ground, 'server'>, statement: Sql): Promise<string> {
  const made = await row<{ id: string }>(ground.server.parts.pool, statement)
  if (!made) throw new Error('nothing was written')
  return made.id
}

/** A line of the firm's bank account. */
export async function bankLine(
  ground: Pick<Ground, 'server'>,
  state: string,
  typedBy: string | null = null,
): Promise<string> {
  return written(
    ground,
    sql`insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, remittance, booked_on, state, typed_by, created_at)
    values ('DE91100000000123456789', ${randomUUID()}, 100, 'EUR', 'Hannah Brandt', 'CR', '2026-06-18', ${state}, ${typedBy}, ${ground.server.clock.now()}) returning id`,
  )
}

/** A debit that a check holds back: nothing was asked of the platform. */
async function heldDebit(ground: Ground, subject: string, leg: string, id: string): Promise<void> {
  const ref = randomUUID()
  await run(
    ground.server.parts.pool,
    sql`insert into operations (kind, ref, target, payload, state, next_try_at, subject, record, created_at)
        values ('balance', ${ref}, ${`MT5:${ref}`}, ${JSON.stringify({ leg })}::jsonb, 'waiting', '2099-01-01', ${subject}, ${id},
          ${ground.server.clock.now()})`,
  )
}

const reserve = (ground: Ground, subject: string, record: string) =>
  run(
    ground.server.parts.pool,
    sql`insert into reservations (account_id, subject, record, amount_minor, created_at) values (${ground.account.id}, ${subject}, ${record}, 100, ${ground.server.clock.now()})`,
  )
