/** The way to the bank and back: finance marks a withdrawal as paid, or as returned by the bank. */
import type {
  payWithdrawal as payEndpoint,
  payWithdrawals as payAllEndpoint,
  returnWithdrawal as returnEndpoint,
} from '#contract/office/withdrawals.ts'
import { money } from '#rules/money.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import { firmBankAccount } from '../../firm-bank-account.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem, sentence } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { post } from '../../ledger/post.ts'
import { placeOfReturned } from '../../ledger/returned-payouts.ts'
import { decide } from '../../office/decide.ts'
import type { Parts } from '../../parts.ts'
import { forDecision } from './decide-withdrawal.ts'
import type { Withdrawal } from './queries.ts'
import { tellOfWithdrawal } from './tell-client.ts'

export function payWithdrawal(parts: Parts): Verb<typeof payEndpoint> {
  return async (call) => pay(parts, call, call.params.id, call.body.version, call.body.note)
}

/** Several at once, each on its own: one that is refused holds up no other. */
export function payWithdrawals(parts: Parts): Verb<typeof payAllEndpoint> {
  return async (call) => {
    const results = []
    for (const { id, version } of call.body.withdrawals) {
      try {
        results.push({ id, decided: await pay(parts, call, id, version, ''), refusal: null })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const text = sentence(error.code, call.language, error.facts.values)
        results.push({ id, decided: null, refusal: { code: error.code, text } })
      }
    }
    return { results }
  }
}

async function pay(parts: Parts, call: Call, id: string, version: number, note: string) {
  const withdrawal = await forDecision(parts, call, id)
  const bank = await firmBankAccount(parts, withdrawal.currency)
  const time = await timeToArrive(parts, withdrawal)
  const set = { paid_by: staffOf(call).staffId, paid_at: call.now }
  const payment = { request: withdrawal, verb: 'pay', version, reason: note, set }
  return decide(parts, call, withdrawalLife, payment, async (tx) => {
    const left = withdrawal.amountMinor - withdrawal.feeMinor
    await post(tx, {
      ref: `withdrawal-paid:${withdrawal.id}`,
      kind: 'withdrawal-paid',
      subject: 'withdrawal',
      record: withdrawal.id,
      at: call.now,
      postings: [
        { account: { kind: 'payout_in_transit', currency: withdrawal.currency }, minor: left },
        { account: { kind: 'bank', currency: withdrawal.currency, name: bank }, minor: -left },
      ],
    })
    await tellOfWithdrawal(tx, withdrawal, 'withdrawal-paid', call.act, time)
  })
}

/** How long the method takes, in both languages; nothing for one that the settings no longer have. */
async function timeToArrive(parts: Parts, { method: kept }: Withdrawal): Promise<Record<string, string>> {
  const { withdrawal: methods } = await parts.settings.get('methods')
  const time = methods.find(({ method }) => method.en === kept)?.time
  return time ? { timeEn: time.en, timeDe: time.de } : {}
}

/** The money is in our bank again; it goes back to the account under a reference of its own. */
export function returnWithdrawal(parts: Parts): Verb<typeof returnEndpoint> {
  return async (call) => {
    const withdrawal = await forDecision(parts, call, call.params.id)
    const { currency, platform, login, accountId, clientId } = withdrawal
    const back = withdrawal.amountMinor - withdrawal.feeMinor
    const bank = await firmBankAccount(parts, currency)
    const { version, reason } = call.body
    const set = { returned_at: call.now, comment: reason }
    const comingBack = { request: withdrawal, verb: 'return', version, reason, set }
    return decide(parts, call, withdrawalLife, comingBack, async (tx) => {
      const place = await placeOfReturned(tx, call.act, withdrawal, money(back, currency), bank)
      await post(tx, {
        ref: `withdrawal-came-back:${withdrawal.id}`,
        kind: 'withdrawal-came-back',
        subject: 'withdrawal',
        record: withdrawal.id,
        at: call.now,
        postings: [
          { account: place, minor: back },
          { account: { kind: 'payout_in_transit', currency }, minor: -back },
        ],
      })
      await enqueueBalance(
        tx,
        parts.keys,
        {
          shown: withdrawal.reference,
          platform,
          login,
          accountId,
          amount: money(back, currency),
          checkMargin: false,
          leg: 'withdrawal-return',
          subject: 'withdrawal',
          record: withdrawal.id,
          clientId,
        },
        call.now,
      )
    })
  }
}
