/** What people confirm because it left no trace outside: access, and that the bank holds no order that is not booked. */
import type {
  confirmAccess as accessEndpoint,
  confirmBank as bankEndpoint,
  confirmBankBalance as confirmBalanceEndpoint,
  typeBankBalance as typeBalanceEndpoint,
} from '#contract/office/recovery.ts'
import { actorsOf } from '#rules/actors.ts'
import { dayIn, dayOf, isPast } from '#rules/dates.ts'
import { decimalOf } from '#rules/money.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { bankCoverage } from '../../recovery/bank-coverage.ts'
import { closeIfDone, openChannel } from '../../recovery/channels.ts'
import { recoveryOf, type Recovery } from '../../recovery/stopped-money.ts'
import { statementsOf, type Said } from './queries.ts'

type Statement = Said['statement']

/** Compliance and an administrator, two people: an administrator who comes first speaks as administrator. */
export function confirmAccess(parts: Parts): Verb<typeof accessEndpoint> {
  return (call) =>
    transaction(parts.pool, async (tx) => {
      const recovery = await openOne(tx)
      const said = await statementsOf(tx, recovery.id)
      const { staffId, roles } = staffOf(call)
      refuseTwice(said, staffId, ['access-compliance', 'access-administrator'])
      const may = actorsOf({ kind: 'staff', id: staffId, roles })
      const wanted: readonly Statement[] = may.includes('administrator')
        ? ['access-administrator', 'access-compliance']
        : ['access-compliance']
      const statement = wanted.find((one) => !said.some((other) => other.statement === one))
      if (!statement) throw new Problem('said-before')
      await say(tx, call, recovery, statement)
      await closeIfDone(tx, call.act)
      return {}
    })
}

/** Two people of finance, once every account of the firm has shown what it did. The second one opens the payouts. */
export function confirmBank(parts: Parts): Verb<typeof bankEndpoint> {
  return async (call) => {
    const open = await openOne(parts.pool)
    const coverage = await bankCoverage(parts, parts.pool, open)
    if (coverage.some(({ complete }) => !complete)) throw new Problem('recovery-statements')
    return transaction(parts.pool, async (tx) => {
      const recovery = await openOne(tx)
      const said = await statementsOf(tx, recovery.id)
      refuseTwice(said, staffOf(call).staffId, ['bank-first', 'bank-second'])
      const isSecond = said.some(({ statement }) => statement === 'bank-first')
      await say(tx, call, recovery, isSecond ? 'bank-second' : 'bank-first')
      if (isSecond) {
        await openChannel(tx, 'payouts', call.act)
        await closeIfDone(tx, call.act)
      }
      return {}
    })
  }
}

export function typeBalance(parts: Parts): Verb<typeof typeBalanceEndpoint> {
  return async (call) => {
    const open = await openOne(parts.pool)
    const { account, closing, currency, on } = call.body
    const covered = (await bankCoverage(parts, parts.pool, open)).find((one) => one.account === account)
    if (!covered || covered.currency !== currency) throw new Problem('account-unknown-bank', { field: 'account' })
    const { timeZone } = await parts.settings.get('firm')
    const day = dayOf(on)
    // A day that is not over has no closing balance yet.
    if (!day || !isPast(day, dayIn(call.now, timeZone))) throw new Problem('date-invalid', { field: 'on' })
    if (covered.lastClosing !== null && covered.lastClosing !== closing)
      throw new Problem('recovery-balance', { field: 'closing' })
    return transaction(parts.pool, async (tx) => {
      const recovery = await openOne(tx)
      await run(
        tx,
        sql`insert into recovery_balances (recovery, bank_account, closing_minor, currency, closing_on, typed_by, typed_at)
            values (${recovery.id}, ${account}, ${closing}, ${currency}, ${on}::date, ${staffOf(call).staffId}, ${call.now})
            on conflict (recovery, bank_account) do update set closing_minor = excluded.closing_minor,
              closing_on = excluded.closing_on, typed_by = excluded.typed_by, typed_at = excluded.typed_at,
              confirmed_by = null, confirmed_at = null`,
      )
      const details = { account, closing: decimalOf(closing), currency, on }
      await record(tx, call.act, { kind: 'recovery', verb: 'typeBalance', record: recovery.id, details })
      return {}
    })
  }
}

export function confirmBalance(parts: Parts): Verb<typeof confirmBalanceEndpoint> {
  return (call) =>
    transaction(parts.pool, async (tx) => {
      const recovery = await openOne(tx)
      const { account } = call.body
      const { staffId } = staffOf(call)
      const confirmed = await run(
        tx,
        sql`update recovery_balances set confirmed_by = ${staffId}, confirmed_at = ${call.now}
            where recovery = ${recovery.id} and bank_account = ${account} and typed_by <> ${staffId}`,
      )
      if (confirmed === 0) {
        const typed = await run(
          tx,
          sql`select 1 from recovery_balances where recovery = ${recovery.id} and bank_account = ${account}`,
        )
        throw typed === 0 ? new Problem('account-unknown-bank', { field: 'account' }) : new Problem('own-act')
      }
      await record(tx, call.act, {
        kind: 'recovery',
        verb: 'confirmBalance',
        record: recovery.id,
        details: { account },
      })
      return {}
    })
}

async function openOne(connection: Parameters<typeof recoveryOf>[0]): Promise<Recovery> {
  const recovery = await recoveryOf(connection)
  if (!recovery) throw new Problem('no-recovery')
  return recovery
}

function refuseTwice(said: readonly Said[], staffId: string, statements: readonly Statement[]): void {
  if (said.some((one) => one.staffId === staffId && statements.includes(one.statement))) throw new Problem('own-act')
}

async function say(
  tx: Transaction,
  call: Pick<Call, 'act' | 'caller' | 'now'>,
  { id }: Recovery,
  statement: Statement,
): Promise<void> {
  await run(
    tx,
    sql`insert into recovery_statements (recovery, statement, staff_id, at)
        values (${id}, ${statement}, ${staffOf(call).staffId}, ${call.now})`,
  )
  await record(tx, call.act, { kind: 'recovery', verb: 'say', record: id, reason: statement })
}
