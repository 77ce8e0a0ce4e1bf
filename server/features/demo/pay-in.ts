/** A payment reported by the demo's bank: a transaction of the firm's account, as a statement would contain it. */
import { dayIn, isoDay } from '#rules/dates.ts'
import { minorOf, type Currency } from '#rules/money.ts'
import { randomUUID } from 'node:crypto'
import { transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { addLines } from '../../ledger/bank-lines.ts'

interface Payment {
  readonly reference: string
  readonly amount: string
  readonly currency: Currency
  readonly payer: string
  readonly payerAccount?: string | undefined
}

/** Adds the transaction; staff find it in the inbox and under Bank statements. */
export async function payIn(dependencies: Dependencies, payment: Payment): Promise<{ lineId: string }> {
  const now = dependencies.now()
  const amountMinor = minorOf(payment.amount)
  if (!amountMinor) throw new Problem('amount-invalid', { field: 'amount' })
  const accounts = await dependencies.settings.get('wireAccounts')
  const { IBAN, BankAccountNumber } = accounts[payment.currency]
  const { timeZone } = await dependencies.settings.get('firm')
  const line = {
    bankId: randomUUID(),
    amountMinor,
    payer: payment.payer,
    payerAccount: (payment.payerAccount ?? '').replace(/\s/g, '').toUpperCase(),
    remittance: payment.reference,
    bookedOn: isoDay(dayIn(now, timeZone)),
  }
  const account = { name: IBAN || BankAccountNumber, currency: payment.currency, replacedAt: null }
  const auditContext = { identity: { kind: 'external' }, now } as const
  const {
    added: [added],
  } = await transaction(dependencies.pool, (tx) => addLines(tx, auditContext, account, [line], null))
  if (!added) throw new Error('the payment was not stored')
  return { lineId: added.id }
}
