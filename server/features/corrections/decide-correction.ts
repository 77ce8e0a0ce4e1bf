/** Somebody else books the correction on the platform, or refuses it. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type {
  approveCorrection as approveEndpoint,
  rejectCorrection as rejectEndpoint,
} from '#contract/office/accounting.ts'
import { correctionLife } from '#rules/corrections.ts'
import { less, money, subtract, add, zero } from '#rules/money.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { advance } from '../../db/transition.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { free, keptFigures, readFigures } from '../../ledger/account-snapshot.ts'
import { reservedOf } from '../../ledger/reservations.ts'
import { absentPlatform, decide } from '../../office/decide.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { amountText } from '../../i18n/format.ts'
import { correctionChecked } from './correction-checks.ts'
import { correctionById, type Correction } from './queries.ts'

type Deciding = Call<typeof approveEndpoint | typeof rejectEndpoint>

const kind = correctionLife.name

export function approveCorrection(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const correction = await forDecision(parts, call)
    const { accountId, platform, login, currency, clientId, id } = correction
    const absent = absentPlatform(parts, platform)
    if (absent) throw absent
    if (correction.state === 'pending')
      await readFigures(parts.pool, parts, { accountId, platform, login, currency }, call.now)
    const terms = await prepareChecks(parts, correctionChecked, correction, call.now)
    const judge = judging(call, correctionChecked, correction, terms)
    return namingDecider(parts, kind, id, () =>
      transaction(parts.pool, async (tx) => {
        const details = await judge(tx)
        await coversIt(tx, call, correction)
        const after = await advance(tx, correctionLife, call.act, {
          id,
          verb: 'approve',
          version: call.body.version,
          clientId,
          ...(call.body.note ? { reason: call.body.note } : {}),
          details,
          set: { decided_by: staffOf(call).staffId, decided_at: call.now },
          work: null,
        })
        await enqueueBalance(
          tx,
          parts.keys,
          {
            shown: correction.reference,
            platform,
            login,
            accountId,
            amount: money(correction.amountMinor, currency),
            checkMargin: correction.amountMinor < 0n,
            leg: 'correction',
            subject: kind,
            record: id,
            clientId,
          },
          call.now,
        )
        return decidedAnswer(tx, call, kind, id, after)
      }),
    )
  }
}

export function rejectCorrection(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call): Promise<AnswerOf<typeof rejectEndpoint>> => {
    const request = await forDecision(parts, call)
    const { version, reason } = call.body
    const set = { decided_by: staffOf(call).staffId, decided_at: call.now, decision_reason: reason }
    return decide(parts, call, correctionLife, { request, verb: 'reject', version, reason, set })
  }
}

async function forDecision(parts: Parts, call: Deciding): Promise<Correction> {
  const correction = await correctionById(parts.pool, call.params.id)
  if (!correction) throw new Problem('not-found')
  if (correction.askedBy === staffOf(call).staffId) throw new Problem('own-act')
  refuseOwnRequest(staffOf(call), correction.clientEmail)
  return correction
}

/** What is taken out must be free: nothing that is set aside for a request is corrected away. */
async function coversIt(tx: Transaction, call: Deciding, correction: Correction): Promise<void> {
  const { accountId, currency, amountMinor } = correction
  await run(tx, sql`select 1 from trading_accounts where id = ${accountId} for update`)
  if (amountMinor >= 0n) return
  const figures = await keptFigures(tx, accountId, currency)
  if (!figures) throw new Problem('figures-old')
  const available = subtract(free(figures), money(await reservedOf(tx, accountId), currency))
  if (less(add(available, money(amountMinor, currency)), zero(currency))) {
    throw new Problem('available-fell', { values: { available: amountText(available, call.language) } })
  }
}
