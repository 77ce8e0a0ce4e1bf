/** Payments that a clerk types by hand, and the second person who confirms the large ones (mechanics section 3). */
import type {
  confirmLine as confirmEndpoint,
  rejectLine as rejectEndpoint,
  sendBackLine as sendBackEndpoint,
  typeLine as endpoint,
} from '#contract/office/deposits.ts'
import { dayIn, dayOf, compareDays } from '#rules/dates.ts'
import { bankLineLife, newLineState, type BankLineState } from '#rules/deposits.ts'
import { decimalOf, money } from '#rules/money.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { arrived, lineWork } from '../../ledger/bank-lines.ts'
import { post } from '../../ledger/post.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { refusalsOf } from './bank-line-responses.ts'
import { firmAccount } from './firm-account.ts'
import { returnChecked } from './line-checks.ts'
import { bankLineById, type BankLine } from './queries.ts'

const kind = bankLineLife.name

export function typeLine(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { body } = call
    const account = await firmAccount(parts, body.bankAccount)
    if (account.currency !== body.currency) throw new Problem('other-currency', { field: 'currency' })
    const { timeZone } = await parts.settings.get('firm')
    const booked = dayOf(body.bookedOn)
    if (!booked || compareDays(booked, dayIn(call.now, timeZone)) > 0)
      throw new Problem('date-invalid', { field: 'bookedOn' })
    const threshold = (await parts.settings.get('thresholds'))[body.currency]
    const state = newLineState(money(body.amount, body.currency), money(threshold, body.currency))
    return transaction(parts.pool, async (tx) => {
      const written = await row<{ id: string }>(
        tx,
        sql`insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, payer_account, remittance,
              booked_on, state, typed_by, created_at)
            values (${account.name}, ${body.bankId}, ${body.amount}, ${body.currency}, ${body.payer},
              ${body.payerAccount.replace(/\s/g, '').toUpperCase()}, ${body.remittance}, ${body.bookedOn}, ${state},
              ${staffOf(call).staffId}, ${call.now})
            on conflict (bank_account, bank_id) where state <> 'rejected' do nothing returning id`,
      )
      if (!written) throw new Problem('line-known', { field: 'bankId' })
      const { id } = written
      const details = {
        amount: decimalOf(body.amount),
        currency: body.currency,
        bankId: body.bankId,
        payer: body.payer,
      }
      await record(tx, call.act, { kind, verb: 'type', record: id, to: state, details })
      const line = { ...body, id, amountMinor: body.amount, bankAccount: account.name }
      const waits = state === 'second_approval' || (await arrived(tx, call.act, line))
      if (waits)
        await openWork(tx, kind, id, lineWork(line, await workDueAt(parts, 'bank_line', call.now), state), call.now)
      return { id, ...(await standingOf(tx, id)) }
    })
  }
}

/** Where a line stands once it has arrived: a returned payout has gone on at once. */
async function standingOf(tx: Transaction, id: string): Promise<{ state: BankLineState; version: number }> {
  const found = await row<{ state: BankLineState; version: number }>(
    tx,
    sql`select state, version from bank_lines where id = ${id}`,
  )
  if (!found) throw new Error('a line was not written')
  return found
}

type Deciding = Call<typeof confirmEndpoint | typeof rejectEndpoint | typeof sendBackEndpoint>

async function forDecision(parts: Parts, call: Deciding, verb: 'confirm' | 'reject' | 'sendBack'): Promise<BankLine> {
  const line = await bankLineById(parts.pool, call.params.id)
  if (!line) throw new Problem('not-found')
  const refusal = refusalsOf(line, staffOf(call).staffId)[verb]
  if (refusal) throw refusal
  return line
}

/** The second person saw the payment in the bank: from here on it is like an imported one. */
export function confirmLine(parts: Parts): Verb<typeof confirmEndpoint> {
  return async (call) => {
    const line = await forDecision(parts, call, 'confirm')
    return namingDecider(parts, kind, line.id, () =>
      transaction(parts.pool, async (tx) => {
        await advance(tx, bankLineLife, call.act, {
          id: line.id,
          verb: 'confirm',
          version: call.body.version,
          ...(call.body.note ? { reason: call.body.note } : {}),
          set: { confirmed_by: staffOf(call).staffId },
          work: lineWork(line, await workDueAt(parts, 'bank_line', call.now)),
        })
        await arrived(tx, call.act, line)
        return decidedAnswer(tx, call, kind, line.id, await standingOf(tx, line.id))
      }),
    )
  }
}

/** A typed line that never arrived. */
export function rejectLine(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const line = await forDecision(parts, call, 'reject')
    const { reason, version } = call.body
    return namingDecider(parts, kind, line.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, bankLineLife, call.act, {
          id: line.id,
          verb: 'reject',
          version,
          reason,
          set: { reason },
          work: null,
        })
        return decidedAnswer(tx, call, kind, line.id, after)
      }),
    )
  }
}

/** Money goes back to where it came from: it leaves arrived-unmatched and the bank. */
export function sendBackLine(parts: Parts): Verb<typeof sendBackEndpoint> {
  return async (call) => {
    const line = await forDecision(parts, call, 'sendBack')
    const { reason, version } = call.body
    const terms = await prepareChecks(parts, returnChecked, line, call.now)
    const body = { version, note: reason, acknowledged: [] }
    const judge = judging({ ...call, body }, returnChecked, line, terms, 'unmatched')
    const { id, amountMinor, currency, bankAccount: name } = line
    return namingDecider(parts, kind, id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, bankLineLife, call.act, {
          id,
          verb: 'sendBack',
          version,
          reason,
          details: await judge(tx),
          set: { reason },
          work: null,
        })
        await post(tx, {
          ref: `sent-back:${id}`,
          kind: 'wire-sent-back',
          subject: kind,
          record: id,
          at: call.now,
          postings: [
            { account: { kind: 'arrived_unmatched', currency }, minor: amountMinor },
            { account: { kind: 'bank', currency, name }, minor: -amountMinor },
          ],
        })
        return decidedAnswer(tx, call, kind, id, after)
      }),
    )
  }
}
