/** The documented end of recovery (docs/operations.md): recover, two people for each deal, the bank, the access. */
import { expect } from 'vitest'
import * as recovery from '#contract/office/recovery.ts'
import { readConfig } from '#server/config/config.ts'
import { rows, sql } from '#server/db/sql.ts'
import { operate } from '#server/operator/commands.ts'
import { call, staffTokenFor, clientTokenFor, type MadeStaff, type TestServer } from '../factories.ts'
import { importBankLines, type BankLine } from './restorable-bank.ts'
import { callSuccessfully, type RestorableProduct, type Staff } from './restorable-product.ts'

/** Signs everyone in: sessions may have ended with the restore. */
export async function signInAgain(server: TestServer, product: RestorableProduct): Promise<Staff> {
  const again = async (one: MadeStaff) => ({ ...one, ...(await staffTokenFor(server, one)) })
  const { operations, finance, second, compliance, administrator } = product.staff
  return {
    operations: await again(operations),
    finance: await again(finance),
    second: await again(second),
    compliance: await again(compliance),
    administrator: await again(administrator),
  }
}

export const signClientInAgain = async (server: TestServer, { client }: RestorableProduct) => ({
  ...client,
  ...(await clientTokenFor(server, client)),
})

export interface FoundRecoveryItem {
  readonly kind: string
  readonly leg: string
  readonly reference: string
}

/** Runs `operator recover` from a time on. Returns its output. */
export async function recoverFrom(server: TestServer, since: Date): Promise<string> {
  const lines: string[] = []
  const config = readConfig(server.env)
  await operate(config, ['recover', '--since', since.toISOString()], (line) => lines.push(line), server.clock.now)
  return lines.join('\n')
}

/** Maximum rounds of decisions: a decision may reveal the next leg. */
const roundsMax = 8

/**
 * Adopts every deal that `recover` left to two people, round after round. Returns them. The transaction of a bank
 * transfer is found by its reference in the statement.
 */
export async function decideAllItems(server: TestServer, staff: Staff): Promise<FoundRecoveryItem[]> {
  const found: FoundRecoveryItem[] = []
  for (let round = 0; round < roundsMax; round += 1) {
    const open = await rows<FoundRecoveryItem & { id: string; version: number }>(
      server.dependencies.pool,
      sql`select id, version, kind, leg, reference from recovery_items
          where state = 'open' and kind <> 'line-missing' order by deal_at, ticket`,
    )
    if (open.length === 0) return found
    for (const item of open) if (await decideItem(server, staff, item)) found.push(item)
  }
  throw new Error('the items of recovery do not come to an end')
}

/** Returns false if the item was settled meanwhile, or needs another leg first. */
async function decideItem(
  server: TestServer,
  { finance, second }: Staff,
  { id, leg, kind }: FoundRecoveryItem & { id: string },
): Promise<boolean> {
  const shown = await call(server, recovery.getRecoveryItem, { as: finance, params: { id } })
  const { state, version, banks } = shown.answer.item
  if (state !== 'open') return false
  const body = {
    version,
    action: 'adopt' as const,
    reason: 'Found at the platform',
    ...missingValuesOf(kind, leg, banks[0]?.id),
  }
  await callSuccessfully(server, recovery.proposeRecoveryItem, { as: finance, params: { id }, body })
  const confirmed = { as: second, params: { id }, body: { version: version + 1 } }
  const reply = await call(server, recovery.confirmRecoveryItem, confirmed)
  if (reply.status === 200) return true
  expect(reply.failure.code, reply.bytes.toString()).toBe('recovery-debit-first')
  const dropped = { version: version + 1, reason: 'The debit comes first' }
  await callSuccessfully(server, recovery.dropRecoveryItem, { as: finance, params: { id }, body: dropped })
  return false
}

/**
 * Returns the values of a lost request that the database does not have: the bank of a withdrawal, and that a deposit
 * was a bank transfer.
 */
function missingValuesOf(kind: string, leg: string, bankId: string | undefined) {
  if (kind !== 'request-lost') return {}
  if (leg === 'deposit-credit') return { depositType: 'wire' }
  return leg === 'withdrawal-debit' ? { bankId } : {}
}

/**
 * Covers the gap with statements and entered balances, and has two people confirm that the bank has no unposted order.
 */
export async function reopenPayouts(
  server: TestServer,
  product: RestorableProduct,
  { staff, lines }: { staff: Staff; lines: readonly BankLine[] },
): Promise<void> {
  const closing = lines.reduce((sum, { amount }) => sum + Number(amount) * 100, 100_000) / 100
  await importBankLines(server, staff.operations, lines, { opening: '1000.00', closing: closing.toFixed(2) })
  const shown = await callSuccessfully(server, recovery.getRecovery, { as: staff.finance })
  const neededUntil = shown.answer.recovery?.bankAccounts[0]?.neededTo
  // A day that has not ended has no closing balance.
  server.clock.set(new Date(`${neededUntil}T24:00:00Z`))
  const { finance, second } = await signInAgain(server, product)
  for (const { account, currency, neededTo, coveredTo } of shown.answer.recovery?.bankAccounts ?? []) {
    const held = coveredTo === null ? '0.00' : closing.toFixed(2)
    const body = { account, closing: held, currency, on: neededTo }
    await callSuccessfully(server, recovery.typeBankBalance, { as: finance, body })
    await callSuccessfully(server, recovery.confirmBankBalance, {
      as: second,
      body: { account, closing: held, on: neededTo },
    })
  }
  await callSuccessfully(server, recovery.confirmBank, { as: finance, body: {} })
  await callSuccessfully(server, recovery.confirmBank, { as: second, body: {} })
}

export async function confirmAccess(server: TestServer, product: RestorableProduct): Promise<void> {
  const { compliance, administrator } = await signInAgain(server, product)
  for (const as of [compliance, administrator]) await callSuccessfully(server, recovery.confirmAccess, { as, body: {} })
}
