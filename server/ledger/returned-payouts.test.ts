/** A returned payout is reported by staff and by a statement, and is posted once. */
import { describe, expect, test } from 'vitest'
import {
  confirmLine,
  getBankLine,
  importStatement,
  takeReturnedPayout,
  enterBankTransaction,
} from '#contract/office/bank-lines.ts'
import { getOfficeWithdrawal, returnWithdrawal } from '#contract/office/withdrawals.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { makeApprovedWithdrawal } from '#tests/approved-withdrawal.ts'
import { platformForFile } from '#tests/for-file.ts'
import { settleOperations } from '#tests/funded-account.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { call, makeStaff, type MadeStaff } from '#tests/factories.ts'
import { makePaidWithdrawal } from '#tests/paid-withdrawal.ts'
import { confirmReleasedBatch, createReleasedBatch } from '#tests/payout-batches.ts'
import { post } from './post.ts'

const { server } = platformForFile()

async function importPayout(bankId: string, reference: string, amount = '250.00', by?: MadeStaff) {
  const { IBAN: bankAccount } = (await server.dependencies.settings.get('wireAccounts')).EUR
  const csv = `Date;Amount;Payer;Reference;Id\n2026-06-19;${amount};Example Bank AG;Return ${reference};${bankId}`
  const as = by ?? (await makeStaff(server, ['operations']))
  const body = { bankAccount, filename: 'statement.csv', csv }
  expect((await call(server, importStatement, { as, body })).status).toBe(201)
}

async function pageOf(bankId: string, as: MadeStaff) {
  const found = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select id from bank_lines where bank_id = ${bankId}`,
  )
  const { answer } = await call(server, getBankLine, { as, params: { id: found?.id ?? '' } })
  const take = (by: MadeStaff, withdrawalId: string) => {
    const { id, version } = answer.line
    const body = { version, withdrawalId, reason: 'The client’s bank kept its charge.' }
    return call(server, takeReturnedPayout, { as: by, params: { id }, body })
  }
  return { ...answer, take }
}

const lineOf = (bankId: string) =>
  row<{ state: string; waits: boolean }>(
    server.dependencies.pool,
    sql`select l.state, exists (select from work_items w where w.record = l.id and w.closed_at is null) as waits
        from bank_lines l where bank_id = ${bankId}`,
  )

/** Returns the bank charges deducted, in cents. */
async function charges(): Promise<bigint> {
  const found = await row<{ minor: bigint }>(
    server.dependencies.pool,
    sql`select coalesce(sum(p.minor), 0)::bigint as minor from postings p join entries e on e.id = p.entry_id
          join ledger_accounts l on l.id = p.ledger_account where l.kind = 'fees' and e.kind = 'returned-payout'`,
  )
  return found?.minor ?? 0n
}

/** Returns the ledger's balance at the bank, and the part without an owner, in cents. */
async function bankBalances() {
  const found = await row<{ bank: bigint; unowned: bigint }>(
    server.dependencies.pool,
    sql`select coalesce(sum(balance_minor) filter (where kind = 'bank'), 0)::bigint as bank,
          coalesce(-sum(balance_minor) filter (where kind = 'arrived_unmatched'), 0)::bigint as unowned
        from ledger_accounts where currency = 'EUR'`,
  )
  if (!found) throw new Error('no books')
  return found
}

test('if staff report the return first, the later bank transaction is matched, and a second one is not', async () => {
  const payout = await makePaidWithdrawal(server)
  const before = await bankBalances()
  await payout.comeBack()
  const after = { bank: before.bank + 25_000n, unowned: before.unowned }
  expect(await bankBalances()).toEqual(after)
  await importPayout('A-1', payout.reference)
  expect(await lineOf('A-1')).toEqual({ state: 'came_back', waits: false })
  expect(await bankBalances()).toEqual(after)
  await importPayout('A-2', payout.reference)
  expect(await lineOf('A-2')).toEqual({ state: 'unmatched', waits: true })
  expect(await bankBalances()).toEqual({ bank: after.bank + 25_000n, unowned: after.unowned + 25_000n })
})

test('if the statement is imported first, its transaction is pending until the return matches it', async () => {
  const payout = await makePaidWithdrawal(server)
  const before = await bankBalances()
  await importPayout('B-1', payout.reference)
  expect(await lineOf('B-1')).toEqual({ state: 'unmatched', waits: true })
  expect(await bankBalances()).toEqual({ bank: before.bank + 25_000n, unowned: before.unowned + 25_000n })
  await payout.comeBack()
  expect(await payout.state()).toBe('returned')
  expect(await lineOf('B-1')).toEqual({ state: 'came_back', waits: false })
  expect(await bankBalances()).toEqual({ bank: before.bank + 25_000n, unowned: before.unowned })
})

/** Starts each once the one before waits for a posting to the payouts in transit, and returns their outcomes. */
async function whilePostingsWait(...starts: readonly (() => Promise<unknown>)[]) {
  const started: Promise<unknown>[] = []
  const inTransit = { kind: 'payout_in_transit', currency: 'EUR' } as const
  const holding = transaction(server.dependencies.jobs, async (tx) => {
    // A posting to the same account waits: the return has determined where the money is, and is not complete yet.
    const [minor, kind] = [1n, 'beside']
    const postings = [
      { account: inTransit, minor },
      { account: { kind: 'fees', currency: 'EUR' } as const, minor: -minor },
    ]
    await post(tx, server.clock.now(), { ref: kind, kind }, postings)
    for (const start of starts) {
      started.push(start())
      await waitForBlockedConnections(server.dependencies.jobs, started.length)
    }
    throw new Error('not kept')
  })
  await expect(holding).rejects.toThrow('not kept')
  return Promise.allSettled(started)
}

test('if both happen concurrently, the second waits for the first and the money is posted once', async () => {
  const payout = await makePaidWithdrawal(server)
  const before = await bankBalances()
  await whilePostingsWait(payout.comeBack, () => importPayout('C-1', payout.reference))
  expect(await lineOf('C-1')).toEqual({ state: 'came_back', waits: false })
  expect(await bankBalances()).toEqual({ bank: before.bank + 25_000n, unowned: before.unowned })
})

test('a bank transaction entered by hand is matched as well', async () => {
  const { IBAN: bankAccount } = (await server.dependencies.settings.get('wireAccounts')).EUR
  const payout = await makePaidWithdrawal(server)
  await payout.comeBack()
  const after = await bankBalances()
  const as = await makeStaff(server, ['operations'])
  const paid = { amount: '250.00', currency: 'EUR', payer: 'Example Bank AG', remittance: `back ${payout.reference}` }
  const body = { bankAccount, bankId: 'D-1', ...paid, bookedOn: '2026-06-18' } as const
  expect((await call(server, enterBankTransaction, { as, body })).answer.state).toBe('came_back')
  expect(await lineOf('D-1')).toEqual({ state: 'came_back', waits: false })
  expect(await bankBalances()).toEqual(after)
})

test('a large bank transaction entered by hand is matched by the return once another person has confirmed it', async () => {
  const { IBAN: bankAccount } = (await server.dependencies.settings.get('wireAccounts')).EUR
  const payout = await makePaidWithdrawal(server, '12000')
  const before = await bankBalances()
  const paid = { amount: '12000.00', currency: 'EUR', payer: 'Example Bank AG', remittance: `back ${payout.reference}` }
  const body = { bankAccount, bankId: 'D-2', ...paid, bookedOn: '2026-06-18' } as const
  const typed = (await call(server, enterBankTransaction, { as: await makeStaff(server, ['operations']), body })).answer
  expect(typed.state).toBe('second_approval')
  expect(await lineOf('D-2')).toEqual({ state: 'second_approval', waits: true })
  const as = await makeStaff(server, ['finance'])
  const confirmed = await call(server, confirmLine, { as, params: { id: typed.id }, body: { version: typed.version } })
  expect(confirmed.answer.state).toBe('unmatched')
  await payout.comeBack()
  expect(await lineOf('D-2')).toEqual({ state: 'came_back', waits: false })
  expect(await bankBalances()).toEqual({ bank: before.bank + 1_200_000n, unowned: before.unowned })
})

test('a return of less than was sent is matched by another person than reported it, and the firm bears the difference', async () => {
  const payout = await makePaidWithdrawal(server)
  const [before, kept] = [await bankBalances(), await charges()]
  const [returns, takes] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  await importPayout('E-1', payout.reference, '235.00')
  const { payouts, take } = await pageOf('E-1', takes)
  const facts = { withdrawalId: payout.id, sent: 25_000n, charge: 1_500n }
  expect(payouts).toMatchObject([{ ...facts, state: 'paid', refusal: { code: 'payout-not-returned' } }])
  expect((await take(takes, payout.id)).failure.code).toBe('payout-not-returned')
  await payout.comeBack(returns)
  expect(await bankBalances()).toEqual({ bank: before.bank + 48_500n, unowned: before.unowned + 23_500n })
  expect((await take(await makeStaff(server, ['operations']), payout.id)).failure.code).toBe('wrong-role')
  expect((await take(returns, payout.id)).failure.code).toBe('own-return')
  const owner = await row<{ email: string }>(
    server.dependencies.pool,
    sql`select c.email::text as email from clients c join withdrawals w on w.client_id = c.id where w.id = ${payout.id}`,
  )
  const self = await makeStaff(server, ['finance'], { email: owner?.email ?? '' })
  expect((await take(self, payout.id)).failure.code).toBe('own-request')
  expect((await pageOf('E-1', returns)).payouts).toMatchObject([{ ...facts, refusal: { code: 'own-return' } }])
  expect((await take(takes, payout.id)).answer.state).toBe('came_back')
  expect(await lineOf('E-1')).toEqual({ state: 'came_back', waits: false })
  expect(await bankBalances()).toEqual({ bank: before.bank + 23_500n, unowned: before.unowned })
  expect((await charges()) - kept).toBe(1_500n)
  expect((await take(takes, payout.id)).status).toBe(409)
  expect((await pageOf('E-1', takes)).withdrawal).toMatchObject({ reference: payout.reference, charge: 1_500n })
})

test('a transaction without our reference is offered the returned payout of its amount, and a larger or second one is rejected', async () => {
  const payout = await makePaidWithdrawal(server, '310')
  const before = await bankBalances()
  const [returns, takes] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  await payout.comeBack(returns)
  await importPayout('F-1', 'unknown account', '310.00')
  await importPayout('F-2', payout.reference, '310.01')
  const [line, larger] = [await pageOf('F-1', takes), await pageOf('F-2', takes)]
  expect(line.payouts).toMatchObject([{ withdrawalId: payout.id, charge: 0n, refusal: null }])
  expect(larger.payouts).toEqual([])
  expect((await larger.take(takes, payout.id)).failure.code).toBe('more-than-payout')
  expect((await line.take(takes, payout.id)).answer.state).toBe('came_back')
  expect(await bankBalances()).toEqual({ bank: before.bank + 62_001n, unowned: before.unowned + 31_001n })
  expect((await larger.take(takes, payout.id)).failure.code).toBe('payout-has-line')
})

test.each([
  ['whose batch an earlier version released', null],
  ['that an earlier version posted to the bank account without a name', ''],
])('a return of a payout %s is matched by its transaction', async (_, account) => {
  const { id, reference, now } = await makeApprovedWithdrawal(server, '250')
  const batch = await createReleasedBatch(server, [id])
  await run(server.dependencies.pool, sql`update payout_batches set bank_account = ${account} where id = ${batch}`)
  await confirmReleasedBatch(server, batch)
  const as = await makeStaff(server, ['finance'])
  const body = { version: (await now()).version, reason: 'The account is closed.' }
  expect((await call(server, returnWithdrawal, { as, params: { id }, body })).status).toBe(200)
  const after = await bankBalances()
  await importPayout(`G-${reference}`, reference)
  expect(await lineOf(`G-${reference}`)).toEqual({ state: 'came_back', waits: false })
  expect(await bankBalances()).toEqual(after)
})

test('no invariant of money or states is broken after these tests', async () => {
  await settleOperations(server)
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})

describe('a payout at or above the dual-approval threshold', () => {
  const returnAs = async (as: MadeStaff, id: string) => {
    const { withdrawal } = (await call(server, getOfficeWithdrawal, { as, params: { id } })).answer
    const blocked = withdrawal.verbs.find(({ verb }) => verb === 'return')?.refusal?.code ?? null
    const body = { version: withdrawal.version, reason: 'The account is closed.' }
    const reply = await call(server, returnWithdrawal, { as, params: { id }, body })
    expect(reply.status === 200 ? null : reply.failure.code, 'the page shows what the server refuses').toBe(blocked)
    return blocked
  }

  test('is marked as returned only once the bank shows its transaction, which a second person has confirmed', async () => {
    const payout = await makePaidWithdrawal(server, '12000')
    const finance = await makeStaff(server, ['finance'])
    expect(await returnAs(finance, payout.id)).toBe('return-needs-line')
    // The bank deducted its charge, but the transaction names the payout.
    await importPayout('R-1', payout.reference, '11980.00')
    expect(await returnAs(finance, payout.id), 'pending confirmation').toBe('return-needs-line')
    const { line } = await pageOf('R-1', finance)
    const confirmed = { as: finance, params: { id: line.id }, body: { version: line.version } }
    expect((await call(server, confirmLine, confirmed)).status).toBe(200)
    expect(await returnAs(finance, payout.id)).toBeNull()
    expect(await payout.state()).toBe('returned')
  })

  const confirm = async (bankId: string) => {
    const as = await makeStaff(server, ['finance'])
    const { line } = await pageOf(bankId, as)
    const reply = await call(server, confirmLine, { as, params: { id: line.id }, body: { version: line.version } })
    expect(reply.status).toBe(200)
  }

  test('is not shown by a transaction that the person who returns it has imported alone', async () => {
    const payout = await makePaidWithdrawal(server, '12000')
    const finance = await makeStaff(server, ['finance'])
    await importPayout('S-1', payout.reference, '9000.00', finance)
    expect(await returnAs(finance, payout.id)).toBe('return-needs-line')
    expect(await returnAs(await makeStaff(server, ['finance']), payout.id)).toBeNull()
  })

  test('is not shown by a transaction that leaves as much as the threshold missing', async () => {
    const payout = await makePaidWithdrawal(server, '12000')
    const finance = await makeStaff(server, ['finance'])
    await importPayout('S-2', payout.reference, '2000.00')
    expect(await returnAs(finance, payout.id)).toBe('return-needs-line')
    await importPayout('S-3', payout.reference, '2000.01')
    expect(await returnAs(finance, payout.id)).toBeNull()
  })

  test('is not shown by a transaction that names another payout as well', async () => {
    const [first, second] = [await makePaidWithdrawal(server, '12000'), await makePaidWithdrawal(server, '12000')]
    await importPayout('S-4', `${first.reference} ${second.reference}`, '11980.00')
    await confirm('S-4')
    expect(await returnAs(await makeStaff(server, ['finance']), first.id)).toBe('return-needs-line')
  })

  test('is shown by its reference in any notation, and not by that of another payout', async () => {
    const [payout, other] = [await makePaidWithdrawal(server, '12000'), await makePaidWithdrawal(server, '12000')]
    const finance = await makeStaff(server, ['finance'])
    await importPayout('S-5', payout.reference.replace('-', ' ').toLowerCase(), '11975.00')
    await confirm('S-5')
    expect(await returnAs(finance, other.id)).toBe('return-needs-line')
    expect(await returnAs(finance, payout.id)).toBeNull()
  })

  test('can be returned once if a confirmed transaction without a reference may be its money', async () => {
    const [payout, second] = [await makePaidWithdrawal(server, '12000'), await makePaidWithdrawal(server, '12000')]
    const finance = await makeStaff(server, ['finance'])
    await importPayout('R-2', 'without a reference', '11970.00')
    await confirm('R-2')
    expect(await returnAs(finance, payout.id)).toBeNull()
    const other = await makeStaff(server, ['finance'])
    expect(await returnAs(other, second.id), 'the same transaction').toBe('return-needs-line')
    await importPayout('R-4', 'another without a reference', '11960.00')
    await confirm('R-4')
    expect(await returnAs(other, second.id)).toBeNull()
    expect((await (await pageOf('R-2', other)).take(other, payout.id)).status).toBe(200)
    expect((await (await pageOf('R-4', finance)).take(finance, second.id)).status).toBe(200)
  })

  test('includes smaller ones that the same person returned within 24 hours without their transactions', async () => {
    const [first, second] = [await makePaidWithdrawal(server, '6000'), await makePaidWithdrawal(server, '5000')]
    const finance = await makeStaff(server, ['finance'])
    expect(await returnAs(finance, first.id)).toBeNull()
    expect(await returnAs(finance, second.id)).toBe('return-needs-line')
    await importPayout('R-3', first.reference, '6000.00')
    expect(await returnAs(finance, second.id), 'the bank has shown the first').toBeNull()
  })

  test('includes smaller ones whose transactions only the same person has imported', async () => {
    const [first, second] = [await makePaidWithdrawal(server, '6000'), await makePaidWithdrawal(server, '5000')]
    const finance = await makeStaff(server, ['finance'])
    expect(await returnAs(finance, first.id)).toBeNull()
    await importPayout('R-5', first.reference, '6000.00', finance)
    expect(await lineOf('R-5')).toEqual({ state: 'came_back', waits: false })
    expect(await returnAs(finance, second.id)).toBe('return-needs-line')
  })

  test('includes a smaller one that the same person returns at the same time', async () => {
    const [first, second] = [await makePaidWithdrawal(server, '6000'), await makePaidWithdrawal(server, '5000')]
    const as = await makeStaff(server, ['finance'])
    const replies = await whilePostingsWait(
      () => first.comeBack(as),
      () => second.comeBack(as),
    )
    expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})
