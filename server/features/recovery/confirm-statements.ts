/**
 * Confirmations of facts that left no trace at the integrations: access rights, and that the bank has no unposted
 * payment orders.
 */
import type * as office from '#contract/office/recovery.ts'
import { actorsOf } from '#rules/actors.ts'
import { dayIn, dayOf, isPast } from '#rules/dates.ts'
import { decimalOf } from '#rules/money.ts'
import type { StaffId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { bankCoverage, typedBalance } from '../../recovery/bank-coverage.ts'
import { closeIfDone, openChannel } from '../../recovery/channels.ts'
import { recoveryOf, type Recovery } from '../../recovery/stopped-money.ts'
import { statementsOf, type RecoveryStatement } from './queries.ts'

type Statement = RecoveryStatement['statement']

/**
 * Confirms access: two people, from compliance and an administrator. An administrator with both roles who comes first
 * confirms as administrator.
 */
export const confirmAccess: Handler<typeof office.confirmAccess> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const recovery = await lockRecovery(tx)
    const confirmations = await statementsOf(tx, recovery.id)
    const { staffId, roles } = requireStaff(context)
    assertNotConfirmedYet(confirmations, staffId, ['access-compliance', 'access-administrator'])
    const may = actorsOf({ kind: 'staff', id: staffId, roles })
    const wanted: readonly Statement[] = may.includes('administrator')
      ? ['access-administrator', 'access-compliance']
      : ['access-compliance']
    const statement = wanted.find((one) => !confirmations.some((other) => other.statement === one))
    if (!statement) throw new Problem('said-before')
    await recordStatement(tx, context, recovery, statement)
    await closeIfDone(tx, context.auditContext)
    return {}
  })

/**
 * Confirms the bank: two people in finance, once statements of every firm account cover the gap. The second
 * confirmation opens the payouts.
 */
export const confirmBank: Handler<typeof office.confirmBank> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const recovery = await lockRecovery(tx)
    const coverage = await bankCoverage(dependencies, tx, recovery)
    if (coverage.some(({ complete }) => !complete)) throw new Problem('recovery-statements')
    const confirmations = await statementsOf(tx, recovery.id)
    assertNotConfirmedYet(confirmations, requireStaff(context).staffId, ['bank-first', 'bank-second'])
    if (confirmations.some(({ statement }) => statement === 'bank-second')) throw new Problem('said-before')
    const isSecond = confirmations.some(({ statement }) => statement === 'bank-first')
    await recordStatement(tx, context, recovery, isSecond ? 'bank-second' : 'bank-first')
    if (isSecond) {
      await openChannel(tx, 'payouts', context.auditContext)
      await closeIfDone(tx, context.auditContext)
    }
    return {}
  })

export const typeBalance: Handler<typeof office.typeBankBalance> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const recovery = await lockRecovery(tx)
    const { account, closing, currency, on } = context.body
    const covered = (await bankCoverage(dependencies, tx, recovery)).find((one) => one.account === account)
    if (!covered || covered.currency !== currency) throw new Problem('account-unknown-bank', { field: 'account' })
    const { timeZone } = await dependencies.settings.get('firm')
    const day = dayOf(on)
    // A day that has not ended has no closing balance yet.
    if (!day || !isPast(day, dayIn(context.now, timeZone))) throw new Problem('date-invalid', { field: 'on' })
    if (covered.lastClosing !== null && covered.lastClosing !== closing)
      throw new Problem('recovery-balance', { field: 'closing' })
    await run(tx)`
      insert into recovery_balances (recovery, bank_account, closing_minor, currency, closing_on, typed_by, typed_at)
        values (${recovery.id}, ${account}, ${closing}, ${currency}, ${on}::date, ${requireStaff(context).staffId}, ${context.now})
        on conflict (recovery, bank_account) do update set closing_minor = excluded.closing_minor,
          closing_on = excluded.closing_on, typed_by = excluded.typed_by, typed_at = excluded.typed_at,
          confirmed_by = null, confirmed_at = null`
    const details = { account, closing: decimalOf(closing), currency, on }
    await recordEvent(tx, context.auditContext, {
      kind: 'recovery',
      action: 'typeBalance',
      record: recovery.id,
      details,
    })
    return {}
  })

export const confirmBalance: Handler<typeof office.confirmBankBalance> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const recovery = await lockRecovery(tx)
    const { account, closing, on } = context.body
    const { staffId } = requireStaff(context)
    const typed = await typedBalance(tx, recovery.id, account)
    if (!typed) throw new Problem('account-unknown-bank', { field: 'account' })
    if (typed.closing !== closing || typed.on !== on) throw new Problem('stale-page')
    if (typed.typedBy.id === staffId) throw new Problem('own-act')
    await run(tx)`
      update recovery_balances set confirmed_by = ${staffId}, confirmed_at = ${context.now}
        where recovery = ${recovery.id} and bank_account = ${account}`
    await recordEvent(tx, context.auditContext, {
      kind: 'recovery',
      action: 'confirmBalance',
      record: recovery.id,
      details: { account, closing: decimalOf(closing), on },
    })
    return {}
  })

/**
 * Returns the open recovery with its row locked: two people who confirm at the same time count one after the other, and
 * neither confirms while a further sign is recorded. Throws `no-recovery`.
 */
async function lockRecovery(tx: Transaction): Promise<Recovery> {
  await row(tx)`select from recovery where closed_at is null for no key update`
  const recovery = await recoveryOf(tx)
  if (!recovery) throw new Problem('no-recovery')
  return recovery
}

function assertNotConfirmedYet(
  confirmations: readonly RecoveryStatement[],
  staffId: StaffId,
  statements: readonly Statement[],
): void {
  if (confirmations.some((one) => one.staffId === staffId && statements.includes(one.statement)))
    throw new Problem('own-act')
}

async function recordStatement(
  tx: Transaction,
  context: Pick<RequestContext, 'auditContext' | 'caller' | 'now'>,
  { id }: Recovery,
  statement: Statement,
): Promise<void> {
  await run(tx)`insert into recovery_statements (recovery, statement, staff_id, at)
      values (${id}, ${statement}, ${requireStaff(context).staffId}, ${context.now})`
  await recordEvent(tx, context.auditContext, { kind: 'recovery', action: 'say', record: id, reason: statement })
}
