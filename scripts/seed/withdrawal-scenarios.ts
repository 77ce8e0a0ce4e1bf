/** Withdrawals of the demo data, with the bank details that they need. */
import { addBankDetails, getBankDetails } from '#contract/bank-details.ts'
import { approveBankDetails, listOfficeBankDetails } from '#contract/office/bank-details.ts'
import {
  confirmPayoutBatch,
  createPayoutBatch,
  getPayoutBatch,
  listPayoutBatches,
  releasePayoutBatch,
} from '#contract/office/payout-batches.ts'
import { approveWithdrawal, confirmWithdrawal, rejectWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { decimalOf, type Currency } from '#rules/money.ts'
import { logIn } from './log-in.ts'
import { bearerOf } from './onboarding.ts'
import { demoPassword, type PersonaKey } from './personas.ts'
import { letterImage, letterPdf } from './pictures.ts'
import { type SeedScenario, seededClientOf, tokenFor, approvedAccountOf } from './scenarios.ts'

type BankData = {
  bankCountry: string
  bankAccountCurrency: Currency
  bankIBAN?: string
  bankSwift?: string
  bankAccountNumber?: string
  bankSortCode?: string
}

/** Adds bank details with a statement that is downloaded as PDF or photographed; they wait for approval. */
export async function addBank(
  play: SeedScenario,
  who: PersonaKey,
  data: BankData,
  from: 'download' | 'photograph' = 'download',
): Promise<string> {
  const { context } = play
  const holder = seededClientOf(play, who).person
  const as = await logIn(context, holder)
  const letter = ['Bank statement', bearerOf(holder), context.now().toISOString().slice(0, 10)] as const
  const bankPOA =
    from === 'download'
      ? await context.upload(as, await letterPdf(...letter), 'bank-statement.pdf', 'application/pdf')
      : await context.upload(as, await letterImage(...letter), 'bank-statement.jpg', 'image/jpeg')
  const place = data.bankCountry === 'GB' ? 'Example Bank plc' : 'Example Bank AG'
  const { bankDetails } = await context.call(addBankDetails, {
    as,
    password: demoPassword,
    body: { bankData: { bankName: place, bankAddress: `1 Market Square, ${holder.city}`, bankPOA, ...data } },
  })
  return bankDetails._id
}

/** Plays bank details of a day from their upload to their approval. */
export async function addApprovedBanks(
  play: SeedScenario,
  daysAgo: number,
  ...given: [PersonaKey, BankData][]
): Promise<void> {
  const { context, team } = play
  await context.at(daysAgo, '13:02')
  const added = await Promise.all(
    given.map(async ([who, data]) => ({ who, id: await addBank(play, who, data, 'photograph') })),
  )
  const as = await team.token('operations')
  const { rows } = await context.call(listOfficeBankDetails, { as, query: { state: 'pending' } })
  for (const { who, id } of added) {
    const { name, surname } = seededClientOf(play, who).person
    const version = rows.find((row) => row.id === id)?.version ?? 1
    await context.call(approveBankDetails, { as, params: { id }, body: { version, holder: `${name} ${surname}` } })
  }
}

/** The usual warnings of withdrawals in the demo's history: bank details are new, and money came from elsewhere. */
const usualWarnings = ['new-bank-details', 'closed-loop', 'margin-level', 'identity-document'] as const

type WithdrawalEnding = 'pending' | 'second_approval' | 'approved' | 'paid' | 'rejected'

type Amount = [who: PersonaKey, currency: Currency, amount: string]

/** Plays withdrawals of a day, in one currency, up to their ending. */
export async function playWithdrawals(
  play: SeedScenario,
  daysAgo: number,
  ending: WithdrawalEnding,
  ...amounts: Amount[]
): Promise<void> {
  const { context, team } = play
  await context.at(daysAgo, '07:12')
  const ids = await Promise.all(amounts.map((amount) => request(play, ...amount)))
  if (ending === 'pending') return
  await context.at(daysAgo, '09:06')
  const operations = await team.token('operations')
  if (ending === 'rejected') {
    const body = { version: 1, reason: 'The bank account is not in your name.' }
    for (const id of ids) await context.call(rejectWithdrawal, { as: operations, params: { id }, body })
    return
  }
  const acknowledged = [...usualWarnings]
  for (const id of ids) {
    const { state, version } = await context.call(approveWithdrawal, {
      as: operations,
      params: { id },
      body: { version: 1, note: 'Same IBAN as in previous payouts.', acknowledged },
    })
    if (ending !== 'second_approval' && state === 'second_approval') {
      const body = { version, note: 'Bank statement checked.', acknowledged }
      await context.call(confirmWithdrawal, { as: await team.token('finance'), params: { id }, body })
    }
  }
  if (ending === 'second_approval') return
  await context.settle()
  const [first] = amounts
  if (ending !== 'paid' || !first) return
  await context.at(daysAgo - 1, '13:30')
  await payOutInBatch(play, ids, first[1])
}

/** Requests a withdrawal and returns its id. */
async function request(play: SeedScenario, ...[who, currency, amount]: Amount): Promise<string> {
  const as = await tokenFor(play, who)
  const { number, platform } = await approvedAccountOf(play, who, currency, as)
  const { id } = await play.context.call(requestWithdrawal, {
    as,
    password: demoPassword,
    body: {
      accountPlatform: platform,
      accountNumber: number,
      paymentGatewayService: 'bank',
      withdrawalType: 'wire',
      withdrawalPaymentName: 'Bank Transfer',
      withdrawalCurrency: currency,
      withdrawalAmount: amount,
      bankId: await approvedBankId(play, as, currency),
    },
  })
  return id
}

/** Plays a batch: operations create it, an administrator who approved nothing releases it, finance confirm it. */
async function payOutInBatch(
  { context, team }: SeedScenario,
  withdrawals: string[],
  currency: Currency,
): Promise<void> {
  const creator = await team.token('operations')
  const body = { currency, withdrawals }
  const { id } = await context.call(createPayoutBatch, { as: creator, body })
  const params = { id }
  const releaser = await team.token('admin')
  const { batch } = await context.call(getPayoutBatch, { as: releaser, params })
  const query = { state: 'all', currency, direction: 'desc' } as const
  const sent = (await context.call(listPayoutBatches, { as: releaser, query })).rows.filter(
    (one) => one.sentAt !== null,
  )
  const bankNumber = sent.toSorted((a, b) => Number(b.sentAt) - Number(a.sentAt))[0]?.number ?? '0'
  if (!batch.draft) throw new Error('The batch is not pending release.')
  const { count, total, sha256 } = batch.draft
  const released = await context.call(releasePayoutBatch, {
    as: releaser,
    params,
    body: { version: batch.version, count, total: decimalOf(total), sha256, bankNumber: bankNumber },
  })
  const finance = await team.token('finance')
  await context.call(confirmPayoutBatch, { as: finance, params, body: { version: released.version } })
}

async function approvedBankId({ context }: SeedScenario, as: string, currency: Currency): Promise<string> {
  const { bankDetails } = await context.call(getBankDetails, { as, params: { a: currency, b: 'approved' } })
  const [first] = bankDetails
  if (!first) throw new Error(`No approved bank account in ${currency}.`)
  return first._id
}
