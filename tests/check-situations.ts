/**
 * Situations in which each check warns or blocks: a withdrawal or transfer that passes every check, and one change of
 * it.
 */
import { randomUUID } from 'node:crypto'
import { dayMs } from '#rules/dates.ts'
import type { CheckName } from '#rules/checks/check.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { chargebackKinds } from '#rules/differences.ts'
import type { AccountId } from '#rules/ids.ts'
import { recordEvent } from '#server/db/events.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import {
  makeApprovedBank,
  makeFundedAccount,
  type ServerWithPlatform,
  transferBody,
  withdrawalBody,
} from './funded-account.ts'
import { call, makeClient, newReference, applySetting, type MadeClient, type MadeStaff } from './factories.ts'

export type CheckedKind = 'withdrawal' | 'transfer'

/** A request that passes every check. */
export interface MadeRequest {
  readonly id: string
  readonly client: MadeClient
  readonly account: { readonly id: AccountId; readonly login: string }
  readonly bankId: string
}

export interface Situation {
  readonly check: CheckName
  readonly result: 'warn' | 'block'
  readonly kinds: readonly CheckedKind[]
  /** The role that may override the block; null if none may. */
  readonly override: 'compliance' | 'finance' | null
  /** Creates the situation; returns a function that undoes effects on other tests. */
  make(place: ServerWithPlatform, made: MadeRequest, staff: MadeStaff): Promise<void | (() => Promise<void>)>
}

const bothKinds = ['withdrawal', 'transfer'] as const
const withdrawalOnly = ['withdrawal'] as const

function situationBySql(
  statement: (made: MadeRequest, staff: MadeStaff, now: Date) => ReturnType<typeof sql>,
): Situation['make'] {
  return async ({ server }, made, staff) => {
    await run(server.dependencies.pool, statement(made, staff, server.clock.now()))
  }
}

export async function changeCheckSettings(place: ServerWithPlatform, changes: object): Promise<() => Promise<void>> {
  const checks = await place.server.dependencies.settings.get('checks')
  await applySetting(place.server, 'checks', { ...checks, ...changes })
  return () => applySetting(place.server, 'checks', checks)
}

const changedPassword: Situation['make'] = async ({ server }, { client }) => {
  const auditContext = { identity: { kind: 'client', id: client.id }, now: server.clock.now() } as const
  await transaction(server.dependencies.pool, (tx) =>
    recordEvent(tx, auditContext, { kind: 'client', action: 'changePassword', record: client.id, clientId: client.id }),
  )
}

/**
 * The platform changes or stops responding, and the balances are more than a minute old: the clock is unchanged, so
 * sessions stay valid.
 */
function platformSituation(path: string, fields: (login: string) => object, before?: string): Situation['make'] {
  return async ({ server, platform }, { account }) => {
    await platform.turn(path, fields(account.login))
    const old = new Date(server.clock.now().getTime() - 61_000)
    await run(
      server.dependencies.pool,
      sql`update platform_figures set read_at = ${old} where account_id = ${account.id}`,
    )
    return before === undefined ? undefined : () => platform.turn(before).then(() => undefined)
  }
}

/** Returns the insert of an approved document of a client. */
export const approvedDocument = (clientId: string, kind: string, date: string, now: Date, number = 'C01X00T47') =>
  sql`insert into documents (client_id, kind, state, country, document_number, expiry_date, created_at)
      values (${clientId}, ${kind}, 'approved', 'DE', ${number}, ${date}, ${now})`

const documents = (kind: string, date: string) =>
  situationBySql(({ client }, _staff, now) => approvedDocument(client.id, kind, date, now))

const sourceOfWealthRequested = situationBySql(
  ({ client }, _staff, now) => sql`update clients set source_of_wealth_asked_at = ${now} where id = ${client.id}`,
)

const discrepancy = (kind: string) =>
  situationBySql(
    ({ account }, _staff, now) => sql`insert into differences (kind, account_id, facts, fingerprint, state, found_at)
      values (${kind}, ${account.id}, '{}', ${randomUUID()}, 'open', ${now})`,
  )

const depositByCard: Situation['make'] = async ({ server }, { client, account }) => {
  const now = server.clock.now()
  const id = randomUUID()
  await run(
    server.dependencies.pool,
    sql`insert into deposits (id, client_id, account_id, type, method, gateway, amount_minor, received_minor, currency,
          reference, card_type, state, requested_at, expires_at)
        values (${id}, ${client.id}, ${account.id}, 'cc_gcen', 'Credit/Debit Card', 'gcen', 5000, 5000, 'EUR',
          ${newReference()}, 1, 'approved', ${now}, ${now})`,
  )
}

/** Credits a bank transfer of 50.00 EUR from a bank account. */
export async function creditDepositFrom(
  { server }: Parameters<Situation['make']>[0],
  { client, account }: MadeRequest,
  iban: string,
) {
  const now = server.clock.now()
  const line = await row<{ id: string }>(
    server.dependencies.pool,
    sql`insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, payer_account, remittance, booked_on,
          state, created_at)
        values ('DE91100000000123456789', ${randomUUID()}, 5000, 'EUR', 'Hannah Brandt', ${iban}, '', '2026-11-01',
          'matched', ${now}) returning id`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, currency,
          reference, state, bank_line, requested_at, expires_at)
        values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 5000, 5000, 'EUR',
          ${newReference()}, 'approved', ${line?.id ?? null}, ${now}, ${now})`,
  )
}

/** A chargeback of 50.00 EUR that the card provider has reported, or one that the payer's bank has announced. */
export const openChargeback =
  (kind: (typeof chargebackKinds)[number]): Situation['make'] =>
  async (place, made, staff) => {
    await depositByCard(place, made, staff)
    const { pool } = place.server.dependencies
    const deposit = await row<{ id: string }>(pool, sql`select id from deposits where client_id = ${made.client.id}`)
    await run(
      pool,
      sql`insert into differences (kind, subject, record, ours_minor, currency, facts, fingerprint, state, found_at)
          values (${kind}, 'deposit', ${deposit?.id ?? null}, 5000, 'EUR', '{}', ${randomUUID()}, 'open',
            ${place.server.clock.now()})`,
    )
    // Otherwise the deposit also counts as an origin of the payout, which is another check.
    await run(pool, sql`update deposits set refunded_minor = received_minor where id = ${deposit?.id ?? null}`)
  }

const bankHolderNamed = (name: string | null) =>
  situationBySql(({ bankId }) => sql`update bank_details set holder_name = ${name} where id = ${bankId}`)

const states = ['suspended', 'closed', 'rejected'].map((state): Situation => ({
  check: 'client-status',
  result: 'block',
  kinds: bothKinds,
  override: null,
  make: situationBySql(({ client }) => sql`update clients set state = ${state} where id = ${client.id}`),
}))

/** All rows of the table of requirements 19.7 to 19.15 that apply to withdrawals and transfers. */
export const checkSituations: readonly Situation[] = [
  ...states,
  {
    check: 'payments-on-hold',
    result: 'block',
    kinds: bothKinds,
    override: null,
    make: situationBySql(
      ({ client }, staff, now) => sql`insert into payment_holds (client_id, reason, set_by, from_at, until_at)
        values (${client.id}, 'A report is being written.', ${staff.id}, ${now}, ${new Date(now.getTime() + dayMs)})`,
    ),
  },
  {
    check: 'screening',
    result: 'block',
    kinds: withdrawalOnly,
    override: null,
    make: situationBySql(
      ({ client }, staff, now) =>
        sql`insert into client_flags (client_id, flag, note, set_by, set_at) values (${client.id}, 'sanction', 'x', ${staff.id}, ${now})`,
    ),
  },
  {
    check: 'documents-requested',
    result: 'block',
    kinds: withdrawalOnly,
    override: 'compliance',
    make: sourceOfWealthRequested,
  },
  {
    check: 'documents-requested',
    result: 'block',
    kinds: ['transfer'],
    override: 'compliance',
    async make(place, made, staff) {
      await sourceOfWealthRequested(place, made, staff)
      const thresholds = await place.server.dependencies.settings.get('thresholds')
      await applySetting(place.server, 'thresholds', { ...thresholds, EUR: 1_000n })
      return () => applySetting(place.server, 'thresholds', thresholds)
    },
  },
  { check: 'sign-in-change', result: 'block', kinds: withdrawalOnly, override: 'finance', make: changedPassword },
  {
    check: 'sign-in-change',
    result: 'warn',
    kinds: withdrawalOnly,
    override: 'finance',
    async make(place, made, staff) {
      await changedPassword(place, made, staff)
      return changeCheckSettings(place, { signInChange: 'warn' })
    },
  },
  {
    check: 'balances',
    result: 'block',
    kinds: bothKinds,
    override: null,
    make: platformSituation('drop-before', () => ({ path: '/api/user', count: 0 }), 'reset'),
  },
  {
    check: 'available',
    result: 'block',
    kinds: bothKinds,
    override: null,
    make: platformSituation('market/open', (login) => ({ login, profit: '-960.00', notional: '0' })),
  },
  {
    check: 'margin-level',
    result: 'warn',
    kinds: bothKinds,
    override: null,
    make: platformSituation('market/open', (login) => ({ login, notional: '20000' })),
  },
  { check: 'discrepancy', result: 'block', kinds: bothKinds, override: 'finance', make: discrepancy('platform-only') },
  { check: 'discrepancy', result: 'block', kinds: bothKinds, override: null, make: discrepancy('unknown-reference') },
  ...chargebackKinds.map((kind): Situation => ({
    check: 'chargeback',
    result: 'block',
    kinds: withdrawalOnly,
    override: 'finance',
    make: openChargeback(kind),
  })),
  {
    check: 'exchange-rate',
    result: 'block',
    kinds: ['transfer'],
    override: 'finance',
    make: situationBySql(
      ({ id }) => sql`update transfers set arrives_currency = 'USD',
          figures = figures || jsonb_build_object('rateAsOf', '2020-01-01T10:00Z') where id = ${id}`,
    ),
  },
  {
    check: 'account-holder',
    result: 'warn',
    kinds: withdrawalOnly,
    override: 'compliance',
    make: bankHolderNamed(null),
  },
  {
    check: 'account-holder',
    result: 'warn',
    kinds: withdrawalOnly,
    override: 'compliance',
    make: bankHolderNamed('H. Brandt'),
  },
  {
    check: 'account-holder',
    result: 'block',
    kinds: withdrawalOnly,
    override: 'compliance',
    make: bankHolderNamed('Peter Olsen'),
  },
  {
    check: 'new-bank-details',
    result: 'warn',
    kinds: withdrawalOnly,
    override: null,
    make: situationBySql(
      ({ bankId }, _staff, now) => sql`update bank_details set decided_at = ${now} where id = ${bankId}`,
    ),
  },
  {
    check: 'new-bank-details',
    result: 'warn',
    kinds: withdrawalOnly,
    override: null,
    make: situationBySql(
      ({ client }) => sql`update withdrawals set state = 'returned' where client_id = ${client.id} and state = 'paid'`,
    ),
  },
  { check: 'closed-loop', result: 'warn', kinds: withdrawalOnly, override: null, make: depositByCard },
  {
    check: 'identity-document',
    result: 'warn',
    kinds: withdrawalOnly,
    override: 'compliance',
    make: documents('passport', '2020-01-01'),
  },
  {
    check: 'identity-document',
    result: 'block',
    kinds: withdrawalOnly,
    override: 'compliance',
    async make(place, made, staff) {
      await documents('passport', '2020-01-01')(place, made, staff)
      return changeCheckSettings(place, { identityExpired: 'block' })
    },
  },
  {
    check: 'proof-of-address',
    result: 'warn',
    kinds: withdrawalOnly,
    override: null,
    async make(place, made, staff) {
      await documents('utility_bill', '2020-01-01')(place, made, staff)
      return changeCheckSettings(place, { proofOfAddressMonths: 12 })
    },
  },
]

/** Makes a request of 50.00 from an account with 1,000.00, to a long-known bank account: every check passes. */
export async function makePassingRequest(
  place: ServerWithPlatform,
  kind: CheckedKind,
  amount = '50.00',
): Promise<MadeRequest> {
  const { server } = place
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 100_000n)
  const bankId = await makeKnownBank(place, client, account)
  const id = kind === 'withdrawal' ? await withdrawal() : await transfer()
  return { id, client, account, bankId }

  async function withdrawal(): Promise<string> {
    const body = withdrawalBody(account, bankId, amount)
    return (await call(server, requestWithdrawal, { as: client, body })).answer.id
  }

  async function transfer(): Promise<string> {
    const destination = await makeFundedAccount(server, client, 0n)
    const body = transferBody(account, destination, amount)
    return (await call(server, requestTransfer, { as: client, body })).answer.id
  }
}

/** Makes bank details approved long ago in the client's own name, with an earlier payout. */
async function makeKnownBank(
  { server }: ServerWithPlatform,
  client: MadeClient,
  account: { readonly id: string },
): Promise<string> {
  const { pool } = server.dependencies
  const now = server.clock.now()
  const bankId = await makeApprovedBank(server, client)
  const long = new Date(now.getTime() - 60 * dayMs)
  await run(pool, sql`update bank_details set decided_at = ${long}, holder_name = 'Hannah Brandt' where id = ${bankId}`)
  await run(
    pool,
    sql`with paid as (insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency,
            reference, state, figures, requested_at, paid_at)
          select ${client.id}, ${account.id}, ${bankId}, jsonb_build_object('iban', iban, 'accountNumber', null, 'sortCode', null),
            'wire', 'Bank Transfer', 100, 'EUR', ${newReference()}, 'paid', '{}', ${long}, ${long}
          from bank_details where id = ${bankId} returning id),
        batch as (insert into payout_batches (currency, state, count, total_minor, created_at, sent_at)
          values ('EUR', 'sent', 1, 100, ${long}, ${long}) returning id)
        insert into payout_batch_payments (batch_id, withdrawal_id) select batch.id, paid.id from batch, paid`,
  )
  return bankId
}
