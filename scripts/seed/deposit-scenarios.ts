/** Bank transfers of the demo's history, from announcement to credit. */
import { requestWirePayment } from '#contract/deposits.ts'
import { confirmLine, getBankLine, importStatement, matchLine } from '#contract/office/bank-lines.ts'
import type { Currency } from '#rules/money.ts'
import type { PersonaKey } from './personas.ts'
import { approvedAccountOf, seededClientOf, tokenFor, type SeedScenario } from './scenarios.ts'

/** Announces a bank transfer. */
export async function announceWire(play: SeedScenario, who: PersonaKey, currency: Currency, amount: string) {
  const { context } = play
  const as = await tokenFor(play, who)
  const { number, platform } = await approvedAccountOf(play, who, currency, as)
  return context.call(requestWirePayment, {
    as,
    body: {
      accountPlatform: platform,
      accountNumber: number,
      depositCurrency: currency,
      depositAmountSent: amount,
      paymentGatewayService: 'bank',
      depositType: 'wire',
    },
  })
}

/** `stranger`: payer and payment reference, if not the client with the deposit's reference. */
type Payment = [
  who: PersonaKey,
  currency: Currency,
  amount: string,
  stranger?: Record<'payer' | 'payerAccount' | 'remittance', string>,
]

/**
 * Imports the payment of an announced bank transfer with the firm's next bank statement; returns the bank transaction.
 */
export async function importPayment(play: SeedScenario, ...payment: Payment): Promise<string> {
  const { context, team } = play
  const [who, currency, amount, otherPayer] = payment
  const { bankDetails } = await announceWire(play, who, currency, amount)
  const { IBAN: bankAccount, BankReference } = bankDetails
  const { name, surname, payerAccount: own } = seededClientOf(play, who).person
  const client = { payer: `${name} ${surname}`, payerAccount: own, remittance: BankReference }
  const { payer, payerAccount, remittance } = otherPayer ?? client
  const day = context.now().toISOString().slice(0, 10)
  const id = `${day.replaceAll('-', '')}${BankReference.slice(-4)}`
  const cells = [day, amount, currency, payer, payerAccount, remittance, id].map((cell) => `"${cell}"`)
  const csv = `date,amount,currency,payer,payer account,remittance,id\n${cells.join()}\n`
  const { lines } = await context.call(importStatement, {
    as: await team.token('operations'),
    body: { bankAccount, filename: `statement-${day}.csv`, csv },
  })
  const [line] = lines
  if (!line) throw new Error('The statement import added no bank transaction.')
  return line.id
}

/** Plays bank transfers of a day from announcement to credit. */
export async function fundByWire(play: SeedScenario, daysAgo: number, ...payments: Payment[]): Promise<void> {
  const { context, team } = play
  await context.at(daysAgo, '08:41')
  const lines = await Promise.all(payments.map((payment) => prepareMatchablePayment(play, ...payment)))
  await context.at(daysAgo, '10:17')
  const as = await team.token('operations')
  await Promise.all(
    lines.map(async ({ id, version }) => {
      const depositId = await suggestedDeposit(play, id, as)
      await context.call(matchLine, { as, params: { id }, body: { version, depositId } })
    }),
  )
  await context.settle()
}

/** Makes the payment ready to be matched: a second person has confirmed it if it is large. */
export async function prepareMatchablePayment(
  play: SeedScenario,
  ...payment: Payment
): Promise<{ id: string; version: number }> {
  const { context, team } = play
  const id = await importPayment(play, ...payment)
  const as = await team.token('finance')
  const { line } = await context.call(getBankLine, { as, params: { id } })
  if (line.state !== 'second_approval') return { id, version: line.version }
  const { version } = await context.call(confirmLine, { as, params: { id }, body: { version: line.version } })
  return { id, version }
}

async function suggestedDeposit({ context }: SeedScenario, lineId: string, as: string): Promise<string> {
  const { suggestions } = await context.call(getBankLine, { as, params: { id: lineId } })
  const [best] = suggestions
  if (!best) throw new Error('The bank transaction matches no deposit.')
  return best.depositId
}
