/**
 * Situations in which each check of the other decisions warns or blocks: a request that passes every check, and one
 * change.
 */
import { randomInt, randomUUID } from 'node:crypto'
import type { CheckName } from '#rules/checks/check.ts'
import { row, run, sql, type Sql } from '#server/db/sql.ts'
import { approvedDocument, changeCheckSettings } from './check-situations.ts'
import { bankDetailsOf } from './bank-details.ts'
import { makeFundedAccount, type ServerWithPlatform } from './funded-account.ts'
import { makeAccount, makeClient, makeStaff, newReference, type MadeClient } from './factories.ts'
import { insertBankLine } from './records.ts'

/** `match`: a bank transaction to a deposit. `return`: a bank transaction to its sender. */
export const decisionKinds = [
  'match',
  'return',
  'client',
  'account',
  'leverage_request',
  'bank_details',
  'correction',
] as const
export type DecisionKind = (typeof decisionKinds)[number]

export interface MadeDecision {
  readonly id: string
  readonly client: MadeClient
  /** For a match: the deposit. */
  readonly depositId?: string
  /** For a correction: the account. */
  readonly accountId?: string
}

export interface DecisionSituation {
  readonly check: CheckName
  readonly result: 'warn' | 'block'
  readonly what: string
  readonly kinds: readonly DecisionKind[]
  readonly override: 'compliance' | 'finance' | null
  make(place: ServerWithPlatform, made: MadeDecision): Promise<void | (() => Promise<void>)>
}

/** Makes a request that passes every check, of a client who shares no data with others. */
export async function makePassingDecision(place: ServerWithPlatform, kind: DecisionKind): Promise<MadeDecision> {
  const { server } = place
  const { pool } = server.dependencies
  const now = server.clock.now()
  const approved = { identityApproved: true, addressApproved: true } as const
  const client = await makeClient(server, {
    ...(kind === 'client' ? { state: 'pending' as const } : {}),
    ...(kind === 'leverage_request' ? { clientStatus: 'professional' as const } : {}),
    ...approved,
  })
  await run(pool, sql`update clients set mobile_phone = ${randomPhone()} where id = ${client.id}`)
  const written = async (insert: Sql) => {
    const found = await row<{ id: string }>(pool, insert)
    if (!found) throw new Error('nothing was written')
    return found.id
  }
  switch (kind) {
    case 'client':
      return { id: client.id, client }
    case 'account':
      return { id: (await makeAccount(server, client, { state: 'pending' })).id, client }
    case 'leverage_request': {
      const own = await makeAccount(server, client, { clientStatus: 'professional' })
      const id = await written(sql`insert into leverage_requests (client_id, account_id, from_leverage, to_leverage,
        requested_at) values (${client.id}, ${own.id}, 30, 50, ${now}) returning id`)
      return { id, client }
    }
    case 'bank_details':
      return { id: await written(bankDetailsOf(client.id, randomIban(), 'pending', now)), client }
    case 'correction': {
      const account = await makeFundedAccount(server, client, 100_000n)
      const asker = await makeStaff(server, ['finance'])
      const id = await written(sql`insert into corrections (account_id, amount_minor, currency, reference, reason,
        asked_by, asked_at) values (${account.id}, 100, 'EUR', ${newReference()}, 'Goodwill', ${asker.id}, ${now})
        returning id`)
      return { id, client, accountId: account.id }
    }
    case 'match': {
      const account = await makeFundedAccount(server, client, 0n)
      const depositId = await written(sql`insert into deposits (client_id, account_id, type, method, gateway,
        amount_minor, currency, reference, requested_at, expires_at) values (${client.id}, ${account.id}, 'wire',
        'Bank Transfer', 'bank', 100, 'EUR', ${newReference()}, ${now}, '2027-01-01') returning id`)
      return { id: await insertBankLine(place, 'unmatched'), client, depositId }
    }
    case 'return': {
      const id = await insertBankLine(place, 'unmatched')
      const iban = randomIban()
      await run(pool, bankDetailsOf(client.id, iban, 'approved', now))
      await run(pool, sql`update bank_lines set payer_account = ${iban} where id = ${id}`)
      return { id, client }
    }
  }
}

const randomPhone = () => `+4930${randomInt(10_000_000, 99_999_999)}`
const randomIban = () => `DE${randomInt(10, 99)}${randomInt(1e9, 9e9)}${randomInt(1e7, 9e7)}`

function situationBySql(statement: (made: MadeDecision, now: Date) => Sql): DecisionSituation['make'] {
  return async ({ server }, made) => {
    await run(server.dependencies.pool, statement(made, server.clock.now()))
  }
}

/** Data of a client that another client has too. */
const sharedDataSituations: Readonly<Record<string, DecisionSituation['make']>> = {
  async document({ server }, { client }) {
    const [number, now] = [randomUUID().slice(0, 8), server.clock.now()]
    const other = await makeClient(server)
    for (const id of [client.id, other.id])
      await run(server.dependencies.pool, approvedDocument(id, 'passport', '2031-01-01', now, number))
  },
  async 'bank account'({ server }, { client }) {
    const [iban, now] = [randomIban(), server.clock.now()]
    const other = await makeClient(server)
    for (const id of [client.id, other.id])
      await run(server.dependencies.pool, bankDetailsOf(id, iban, 'approved', now))
  },
  async phone({ server }, { client }) {
    const other = await makeClient(server)
    const phone = randomPhone()
    await run(
      server.dependencies.pool,
      sql`update clients set mobile_phone = ${phone} where id in (${client.id}, ${other.id})`,
    )
  },
}

/** Signs the client in from the device of another. */
export async function signInFromSameDevice(
  { server }: ServerWithPlatform,
  { client }: Pick<MadeDecision, 'client'>,
): Promise<void> {
  const other = await makeClient(server)
  const [now, device] = [server.clock.now(), `Mozilla/5.0 ${randomUUID()}`]
  for (const id of [client.id, other.id])
    await run(
      server.dependencies.pool,
      sql`insert into sessions (audience, client_id, created_at, last_seen_at, idle_seconds, ends_at, device, address)
          values ('portal', ${id}, ${now}, ${now}, 60, ${now}, ${device}, '203.0.113.7')`,
    )
}

const payerNamed = (payer: string) =>
  situationBySql(({ id }) => sql`update bank_lines set payer = ${payer} where id = ${id}`)
const bankHolderNamed = (holder: string | null) =>
  situationBySql(({ id }) => sql`update bank_details set holder_name = ${holder} where id = ${id}`)
const discrepancy = (kind: string) =>
  situationBySql(
    ({ accountId }, now) => sql`insert into differences (kind, account_id, facts, fingerprint, state, found_at)
      values (${kind}, ${accountId ?? null}, '{}', ${randomUUID()}, 'open', ${now})`,
  )

/** All rows of the table of requirements 19.7 to 19.17 that apply to these decisions. */
export const decisionSituations: readonly DecisionSituation[] = [
  ...['suspended', 'closed', 'rejected'].map((state): DecisionSituation => ({
    check: 'client-status',
    result: 'block',
    what: state,
    kinds: ['account', 'leverage_request', 'bank_details'],
    override: null,
    make: situationBySql(({ client }) => sql`update clients set state = ${state} where id = ${client.id}`),
  })),
  {
    check: 'payments-on-hold',
    result: 'block',
    what: 'on hold',
    kinds: ['match', 'return'],
    override: null,
    async make({ server }, { client }) {
      const officer = await makeStaff(server, ['compliance'])
      await run(
        server.dependencies.pool,
        sql`insert into payment_holds (client_id, reason, set_by, from_at)
            values (${client.id}, 'A report is being written.', ${officer.id}, ${server.clock.now()})`,
      )
    },
  },
  {
    check: 'screening',
    result: 'block',
    what: 'flagged',
    kinds: ['client', 'bank_details', 'return'],
    override: null,
    async make({ server }, { client }) {
      const officer = await makeStaff(server, ['compliance'])
      await run(
        server.dependencies.pool,
        sql`insert into client_flags (client_id, flag, note, set_by, set_at)
            values (${client.id}, 'sanction', 'x', ${officer.id}, ${server.clock.now()})`,
      )
    },
  },
  {
    check: 'payer',
    result: 'warn',
    what: 'near',
    kinds: ['match'],
    override: 'finance',
    make: payerNamed('H. Brandt'),
  },
  {
    check: 'payer',
    result: 'block',
    what: 'far',
    kinds: ['match'],
    override: 'finance',
    make: payerNamed('Peter Olsen'),
  },
  { check: 'payer', result: 'block', what: 'not named', kinds: ['match'], override: 'finance', make: payerNamed('') },
  {
    check: 'account-holder',
    result: 'warn',
    what: 'near',
    kinds: ['bank_details'],
    override: 'compliance',
    make: bankHolderNamed('H. Brandt'),
  },
  {
    check: 'account-holder',
    result: 'block',
    what: 'far',
    kinds: ['bank_details'],
    override: 'compliance',
    make: bankHolderNamed('Peter Olsen'),
  },
  {
    check: 'account-holder',
    result: 'block',
    what: 'not entered',
    kinds: ['bank_details'],
    override: null,
    make: bankHolderNamed(null),
  },
  ...Object.entries(sharedDataSituations).map(([what, make]): DecisionSituation => ({
    check: 'same-elsewhere',
    result: 'warn',
    what,
    kinds: ['client', 'bank_details'],
    override: null,
    make,
  })),
  {
    check: 'identity-document',
    result: 'warn',
    what: 'expired',
    kinds: ['account'],
    override: 'compliance',
    make: situationBySql(({ client }, now) => approvedDocument(client.id, 'passport', '2020-01-01', now)),
  },
  {
    check: 'identity-document',
    result: 'block',
    what: 'expired, set to block',
    kinds: ['account'],
    override: 'compliance',
    async make(place, { client }) {
      const { server } = place
      await run(server.dependencies.pool, approvedDocument(client.id, 'passport', '2020-01-01', server.clock.now()))
      return changeCheckSettings(place, { identityExpired: 'block' })
    },
  },
  {
    check: 'proof-of-address',
    result: 'warn',
    what: 'old',
    kinds: ['account'],
    override: null,
    async make(place, { client }) {
      const { server } = place
      await run(server.dependencies.pool, approvedDocument(client.id, 'utility_bill', '2020-01-01', server.clock.now()))
      return changeCheckSettings(place, { proofOfAddressMonths: 12 })
    },
  },
  {
    check: 'discrepancy',
    result: 'block',
    what: 'open',
    kinds: ['correction'],
    override: 'finance',
    make: discrepancy('platform-only'),
  },
  {
    check: 'discrepancy',
    result: 'block',
    what: 'unknown reference',
    kinds: ['correction'],
    override: null,
    make: discrepancy('unknown-reference'),
  },
]
