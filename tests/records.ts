/** Records of every state machine, written directly into the tables in the state that a test needs. */
import { randomInt, randomUUID } from 'node:crypto'
import { requireRow, row, run, sql, transaction } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { bankDetailsOf, madeBank } from './bank-details.ts'
import { makeApprovedBank, makeFundedAccount } from './funded-account.ts'
import {
  makeAccount,
  makeClient,
  makeStaff,
  newReference,
  type MadeAccount,
  type MadeClient,
  type MadeStaff,
  type TestServer,
} from './factories.ts'

/** The owners of the records. */
export interface TestContext {
  readonly server: TestServer
  readonly client: MadeClient
  readonly account: MadeAccount
  /** A second account of the client. */
  readonly other: MadeAccount
  readonly bankId: string
  /** The person who made requests among staff. */
  readonly colleague: MadeStaff
}

/** Makes a client who owns everything, with a million on the first account. */
export async function makeContext(server: TestServer): Promise<TestContext> {
  const client = await makeClient(server)
  return {
    server,
    client,
    account: await makeFundedAccount(server, client, 100_000_000n),
    other: await makeFundedAccount(server, client, 0n),
    bankId: await makeApprovedBank(server, client),
    colleague: await makeStaff(server, ['administrator']),
  }
}

/** `actor` is the person who will use `action` on the record. */
type RecordMaker = (context: TestContext, state: string, actor: MadeStaff, verb: string) => Promise<string>

/** Writes a record of a state machine in a state. Returns its id. */
export const recordMakers: Readonly<Record<string, RecordMaker>> = {
  client: async (context, state) =>
    (await makeClient(context.server, { state: state as never, identityApproved: true, addressApproved: true })).id,
  document: async (context, state) => {
    const { id } = await makeClient(context.server, { state: 'pending' })
    return insertRow(context)`
      insert into documents (client_id, kind, state, country, document_number, expiry_date, created_at)
        values (${id}, 'passport', ${state}, 'DE', 'C01X00T47', '2031-01-01', ${context.server.clock.now()}) returning id`
  },
  account: async (context, state) => (await makeAccount(context.server, context.client, { state: state as never })).id,
  leverage_request: async (context, state) => {
    const professional = await makeClient(context.server, { clientStatus: 'professional' })
    const own = await makeAccount(context.server, professional, { clientStatus: 'professional' })
    return insertRow(context)`
      insert into leverage_requests (client_id, account_id, from_leverage, to_leverage, state, requested_at)
        values (${professional.id}, ${own.id}, 30, 50, ${state}, ${context.server.clock.now()}) returning id`
  },
  bank_details: async (context, state) =>
    insertRow(context)`${bankDetailsOf(context.client.id, madeBank.bankIBAN, state, context.server.clock.now())}`,
  deposit: async (context, state, _actor, verb) => {
    const id = await insertRow(context)`
      insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state, requested_at, expires_at)
        values (${context.client.id}, ${context.account.id}, 'wire', 'Bank Transfer', 'bank', 100, 'EUR', ${newReference()}, ${state}, ${context.server.clock.now()}, '2027-01-01') returning id`
    if (verb === 'credit' || verb === 'refund')
      await run(
        context.server.dependencies.pool,
        sql`update deposits set type = 'ideal', received_minor = 100, provider = 'card', provider_id = ${randomUUID()} where id = ${id}`,
      )
    return id
  },
  bank_line: (context, state) => insertBankLine(context, state, context.colleague.id),
  withdrawal: async (context, state, _actor, verb) => {
    const id = await insertWithdrawal(context, state)
    if (verb === 'approveLastBalance' || verb === 'rejectLastBalance') await markAsLastBalance(context, id)
    if (verb === 'reverse' || verb === 'dropReversal')
      await run(
        context.server.dependencies.pool,
        sql`update withdrawals set reversal_asked_by = ${context.colleague.id}, reversal_asked_at = ${context.server.clock.now()} where id = ${id}`,
      )
    return id
  },
  payout_batch: async (context, state) => {
    const { pool } = context.server.dependencies
    const now = context.server.clock.now()
    const settled = ['sent', 'partly_returned', 'closed'].includes(state)
    const payment = await insertWithdrawal(context, settled ? 'paid' : 'approved')
    const [by, hash] =
      state === 'created' ? [null, null] : [(await makeStaff(context.server, ['finance'])).id, '0'.repeat(64)]
    const asker = state.startsWith('void') ? context.colleague.id : null
    const id = await insertRow(context)`
      insert into payout_batches (currency, state, count, total_minor, sha256, created_by, created_at, released_by,
          released_at, void_asked_by, void_asked_at)
        values ('EUR', ${state}, 1, 100, ${hash}, ${context.colleague.id}, ${now}, ${by}::uuid,
          ${by === null ? null : now}, ${asker}::uuid, ${asker === null ? null : now}) returning id`
    await run(
      pool,
      sql`insert into payout_batch_payments (batch_id, withdrawal_id, live) values (${id}, ${payment}, ${state !== 'void'})`,
    )
    return id
  },
  payout_stop: async (context, state) => {
    const line = await insertBankLine(context, 'unmatched')
    const explained = state === 'open' ? null : context.colleague.id
    return insertRow(context)`
      insert into payout_stops (bank_line, reference, amount_minor, currency, state, explained_by, created_at)
        values (${line}, 'CR-00000000', -100, 'EUR', ${state}, ${explained}::uuid, ${context.server.clock.now()}) returning id`
  },
  transfer: async (context, state) => {
    const id = await insertRow(context)`
      insert into transfers (client_id, source_account, destination_account, amount_minor, currency, rate, arrives_minor, arrives_currency, reference, state, figures, requested_at)
        values (${context.client.id}, ${context.account.id}, ${context.other.id}, 100, 'EUR', '1', 100, 'EUR', ${newReference()}, ${state}, '{}', ${context.server.clock.now()}) returning id`
    if (state === 'pending' || state === 'processing') await reserve(context, 'transfer', id)
    if (state === 'processing') await insertBlockedDebit(context, 'transfer', 'transfer-withdraw', id)
    return id
  },
  professional: async (context, state) => {
    const { id } = await makeClient(context.server)
    const yes = JSON.stringify({ trades: 'Yes', portfolio: 'Yes', experience: 'Yes' })
    return insertRow(context)`
      insert into professional_applications (client_id, answers, state, submitted_at) values (${id}, ${yes}::jsonb, ${state}, ${context.server.clock.now()}) returning id`
  },
  profile_change: async (context, state) => {
    const { id } = await makeClient(context.server)
    return insertRow(context)`
      insert into profile_changes (client_id, field, from_value, to_value, state, requested_at)
        values (${id}, 'name', 'Hannah', 'Anna', ${state}, ${context.server.clock.now()}) returning id`
  },
  enquiry: async (context, state, _actor, verb) => {
    const now = context.server.clock.now()
    return insertRow(context)`
      insert into enquiries (reference, client_id, language, topic, complaint, state, asked_at, due_at, changed_at)
        values (${newReference()}, ${context.client.id}, 'en', 'other', ${verb === 'conclude'}, ${state}, ${now}, ${now}, ${now}) returning id`
  },
  correction: async (context, state) =>
    insertRow(context)`
      insert into corrections (account_id, amount_minor, currency, reference, state, reason, asked_by, asked_at)
        values (${context.account.id}, 100, 'EUR', ${newReference()}, ${state}, 'x', ${context.colleague.id}, ${context.server.clock.now()}) returning id`,
  firm_money: async (context, state) => {
    const line = state === 'approved' ? await insertBankLine(context, 'own_money') : null
    return insertRow(context)`
      insert into firm_money_moves (reference, amount_minor, currency, state, reason, bank_line, asked_by, asked_at)
        values (${randomUUID()}, 100, 'EUR', ${state}, 'x', ${line}::uuid, ${context.colleague.id}, ${context.server.clock.now()}) returning id`
  },
  recovery_item: async (context, state) => {
    const correction = await recordMakers['correction']?.(context, 'pending', context.colleague, '')
    return insertRow(context)`
      insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg,
          subject, record, account_id, client_id, state, action, proposed_by, found_at)
        select 'decision-lost', 'MT5', ${context.account.login}, ${randomUUID()}, k.reference, 100, 'EUR',
          ${context.server.clock.now()}, k.reference, 'correction', 'correction', k.id, k.account_id, ${context.client.id},
          ${state}, ${state === 'open' ? null : 'adopt'}, ${state === 'open' ? null : context.colleague.id}::uuid,
          ${context.server.clock.now()}
        from corrections k where k.id = ${correction ?? null}::uuid returning id`
  },
  // One person explains a discrepancy that stops no account; one that does is decided by two, here on a separate
  // account.
  difference: async (context, state, _actor, verb) => {
    const { server, client, colleague } = context
    const now = server.clock.now()
    const alone = verb === 'explain' && !['proposed', 'processing', 'settled'].includes(state)
    const { id: account } = await makeAccount(server, client)
    const proposed = ['open', 'gone'].includes(state) || alone ? null : colleague.id
    return insertRow(context)`
      insert into differences (kind, account_id, facts, fingerprint, state, found_at, proposal, proposed_by, proposed_at)
        values (${verb === 'explain' ? 'bank-outgoing' : 'ledger-only'}, ${account}, '{}', ${randomUUID()}, ${state}, ${now},
          ${proposed && 'explain'}, ${proposed}, ${proposed && now}) returning id`
  },
  setting_change: async (context, state, actor, verb) => {
    await run(context.server.dependencies.pool, sql`delete from setting_changes where state = 'pending'`)
    const asker = verb === 'cancel' ? actor.id : context.colleague.id
    const standing = await row<{ version: number }>(
      context.server.dependencies.pool,
      sql`select coalesce(max(version), 0)::int as version from settings where section = 'rates'`,
    )
    const value = JSON.stringify({ pairs: { 'EUR/USD': `1.${randomInt(1000, 9999)}` }, asOf: '2026-06-19T10:00Z' })
    return insertRow(context)`
      insert into setting_changes (section, base_version, value, state, reason, asked_by, asked_at)
        values ('rates', ${standing?.version ?? 0}, ${value}::jsonb, ${state}, 'x', ${asker}, ${context.server.clock.now()}) returning id`
  },
  staff_change: async (context, state, actor, verb) => {
    const { id } = await makeStaff(context.server, ['operations'])
    return insertRow(context)`
      insert into staff_changes (staff_id, roles, state, reason, asked_by, asked_at)
        values (${id}, array['finance'], ${state}, 'x', ${verb === 'cancel' ? actor.id : context.colleague.id}, ${context.server.clock.now()}) returning id`
  },
  factor_reset: async (context, state, actor, verb) => {
    const { id } = await makeClient(context.server)
    const now = context.server.clock.now()
    await run(context.server.dependencies.pool, sql`update clients set factor_confirmed_at = ${now} where id = ${id}`)
    return insertRow(context)`
      insert into factor_resets (id, state, reason, asked_by, asked_at) values (${id}, ${state}, 'x',
        ${verb === 'cancel' ? actor.id : context.colleague.id}, ${now}) returning id`
  },
  erasure: async (context, state, actor, verb) => {
    const { id } = await makeClient(context.server, { state: 'closed' })
    return insertRow(context)`
      insert into erasures (id, asked_for, state, reason, asked_by, asked_at) values (${id}, 'client', ${state}, 'x',
        ${verb === 'cancel' ? actor.id : context.colleague.id}, ${context.server.clock.now()}) returning id`
  },
  staff: async (context, state) => {
    const now = context.server.clock.now()
    return insertRow(context)`
      insert into staff (email, name, roles, state, created_at)
        values (${`staff-${randomUUID().slice(0, 8)}@example.com`}, 'Tom Reyes', array['operations'], ${state}, ${now})
        returning id`
  },
}

async function insertWithdrawal(context: TestContext, state: string): Promise<string> {
  const past = !['pending', 'rejected', 'cancelled'].includes(state)
  const bank = JSON.stringify({
    bankName: madeBank.bankName,
    bankAddress: '',
    bankCountry: madeBank.bankCountry,
    iban: madeBank.bankIBAN,
    swift: madeBank.bankSwift,
    accountNumber: null,
    sortCode: null,
    holder: 'Hannah Brandt',
    version: 1,
  })
  const id = await insertRow(context)`
    insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference, state, figures, threshold_minor, approved_by, requested_at)
      values (${context.client.id}, ${context.account.id}, ${context.bankId}, ${bank}::jsonb, 'wire', 'Bank Transfer', 100, 'EUR', ${newReference()}, ${state}, '{}', ${past ? 1_000_000 : null}, ${past ? context.colleague.id : null}, ${context.server.clock.now()}) returning id`
  if (['pending', 'second_approval', 'processing'].includes(state)) await reserve(context, 'withdrawal', id)
  if (state === 'processing') await insertBlockedDebit(context, 'withdrawal', 'withdrawal-debit', id)
  if (state === 'paid') await insertPayout(context, id)
  return id
}

/** Posts what the bank has paid for a withdrawal. */
async function insertPayout({ server }: TestContext, id: string): Promise<void> {
  const entry = { ref: `withdrawal-paid:${id}`, kind: 'withdrawal-paid', subject: 'withdrawal', record: id }
  await transaction(server.dependencies.pool, (tx) =>
    post(tx, server.clock.now(), entry, [
      { account: { kind: 'payout_in_transit', currency: 'EUR' }, minor: 100n },
      { account: { kind: 'bank', currency: 'EUR', name: '' }, minor: -100n },
    ]),
  )
}

/** Entered by a person in finance, with its account holder. */
async function markAsLastBalance({ server, bankId }: TestContext, id: string): Promise<void> {
  const { id: by } = await makeStaff(server, ['finance'])
  await run(server.dependencies.pool, sql`update withdrawals set entered_by = ${by} where id = ${id}`)
  await run(server.dependencies.pool, sql`update bank_details set holder_name = 'Hannah Brandt' where id = ${bankId}`)
}

/** Inserts a row and returns its id: insertRow(context)`insert …`. */
function insertRow({ server }: Pick<TestContext, 'server'>) {
  return async (...statement: Parameters<typeof sql>): Promise<string> => {
    const { id } = await requireRow<{ id: string }>(server.dependencies.pool)(...statement)
    return id
  }
}

/** Writes a transaction of the firm's bank account. */
export async function insertBankLine(
  context: Pick<TestContext, 'server'>,
  state: string,
  typedBy: string | null = null,
): Promise<string> {
  const isSettlement = state === 'settlement_proposed' || state === 'card_settlement'
  const finance = async () => (await makeStaff(context.server, ['finance'])).id
  const proposer = isSettlement ? (typedBy ?? (await finance())) : null
  const confirmer = state === 'card_settlement' ? await finance() : null
  return insertRow(context)`
    insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, remittance, booked_on, state, typed_by, created_at,
        settlement_fee_minor, settlement_asked_by, settlement_confirmed_by)
      values ('DE91100000000123456789', ${randomUUID()}, 100, 'EUR', 'Hannah Brandt', 'CR', '2026-06-18', ${state}, ${typedBy}, ${context.server.clock.now()},
        ${isSettlement ? 0 : null}, ${proposer}::uuid, ${confirmer}::uuid) returning id`
}

/** Writes a debit that a check blocks: nothing was sent to the platform. */
async function insertBlockedDebit(context: TestContext, subject: string, leg: string, id: string): Promise<void> {
  const ref = randomUUID()
  await run(
    context.server.dependencies.pool,
    sql`insert into operations (kind, ref, target, payload, state, next_try_at, subject, record, created_at)
        values ('balance', ${ref}, ${`MT5:${ref}`}, ${JSON.stringify({ leg })}::jsonb, 'waiting', '2099-01-01', ${subject}, ${id},
          ${context.server.clock.now()})`,
  )
}

const reserve = (context: TestContext, subject: string, record: string) =>
  run(
    context.server.dependencies.pool,
    sql`insert into reservations (account_id, subject, record, amount_minor, created_at) values (${context.account.id}, ${subject}, ${record}, 100, ${context.server.clock.now()})`,
  )
