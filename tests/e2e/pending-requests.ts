/**
 * Clients that only one journey uses, with their accounts and payments, made through the product's own calls.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { getDemoAccounts, getLiveAccounts, requestAnAccount, updateAccount } from '#contract/accounts.ts'
import { getBankDetails } from '#contract/bank-details.ts'
import { requestWirePayment } from '#contract/deposits.ts'
import { approveAccount } from '#contract/office/account-requests.ts'
import { confirmLine, getBankLine, importStatement, listBankLines, matchLine } from '#contract/office/bank-lines.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { Currency } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { makeApprovedBank, transferBody, wireBody, withdrawalBody } from '../funded-account.ts'
import {
  call,
  makeClient,
  makeStaff,
  staffTokenFor,
  type ClientTraits,
  type MadeClient,
  type MadeStaff,
} from '../factories.ts'
import { expect } from './expect.ts'
import { runningProduct } from './running.ts'

export interface NamedClient extends MadeClient {
  /** The name for staff, unique to this client. */
  readonly name: string
}

export interface LiveAccount {
  readonly id: AccountId
  readonly number: string
  readonly currency: Currency
}

/** Makes a client whose name and phone number no other journey uses. */
export async function newClient(traits: ClientTraits = {}): Promise<NamedClient> {
  const named = { name: 'Ida', surname: `Brandt${randomUUID().slice(0, 6)}`, ...traits }
  const product = await runningProduct()
  const made = await makeClient(product, named)
  await run(
    product.dependencies.pool,
    sql`update clients set mobile_phone = ${`+49${randomInt(1e9, 9e9)}`} where id = ${made.id}`,
  )
  return { ...made, name: `${named.name} ${named.surname}` }
}

let clerk: Promise<MadeStaff> | undefined

/**
 * Returns the clerk for earlier steps that a journey needs but does not test. Each use gets a new session, which cannot
 * have been idle for too long, however far apart two journeys run.
 */
async function earlierClerk(): Promise<{ token: string }> {
  const product = await runningProduct()
  clerk ??= makeStaff(product, ['operations'], { name: 'Earlier Clerk' })
  return staffTokenFor(product, await clerk)
}

/** Makes a live account: requested, approved and opened on the platform. */
export async function createOpenAccount(client: MadeClient, currency: Currency = 'EUR'): Promise<LiveAccount> {
  const product = await runningProduct()
  const id = await createAccountRequest(client, currency)
  const as = await earlierClerk()
  const approved = await call(product, approveAccount, { as, params: { id }, body: { version: 1 } })
  expect(approved.status).toBe(200)
  let number: string | null | undefined
  await expect(async () => {
    const asked = await call(product, getLiveAccounts, { as: client, params: { a: 'all', b: 'approved' } })
    number = asked.answer.accounts.find(({ _id }) => _id === id)?.number
    expect(number).toBeTruthy()
  }).toPass({ intervals: [150] })
  return { id: id as AccountId, number: number ?? '', currency }
}

/** Requests a demo account, which opens immediately; returns its number. */
export async function createDemoAccount(client: MadeClient): Promise<string> {
  const product = await runningProduct()
  const body = {
    requestType: 'demo',
    platform: 'MT5',
    accType: 'Standard',
    baseCurrency: 'EUR',
    leverage: 30,
    balance: 5000,
  }
  expect((await call(product, requestAnAccount, { as: client, body })).status).toBe(201)
  let number: string | null | undefined
  await expect(async () => {
    const { answer } = await call(product, getDemoAccounts, { as: client })
    number = answer.accounts.find(({ balance }) => balance !== null)?.number
    expect(number).toBeTruthy()
  }).toPass({ intervals: [150] })
  return number ?? ''
}

/** Makes an account with money from a bank transfer. */
export async function createFundedAccount(
  client: NamedClient,
  amount: string,
  currency: Currency = 'EUR',
): Promise<LiveAccount> {
  const product = await runningProduct()
  const account = await createOpenAccount(client, currency)
  const wire = await announceWire(client, account, amount)
  const line = await importPayment(wire, { amount, currency, payer: client.name, reference: wire.reference })
  await matchPayment(line, wire)
  await expect(async () => {
    const asked = await call(product, getLiveAccounts, { as: client, params: { a: 'all', b: 'approved' } })
    expect(asked.answer.accounts.find(({ _id }) => _id === account.id)?.balance ?? 0n).toBeGreaterThan(0n)
  }).toPass({ intervals: [150] })
  return account
}

export async function createAccountRequest(client: MadeClient, currency: Currency = 'EUR'): Promise<string> {
  const body = { requestType: 'live', platform: 'MT5', accType: 'Standard', baseCurrency: currency, leverage: 30 }
  return (await call(await runningProduct(), requestAnAccount, { as: client, body })).answer.id
}

/** A bank transfer that a client has announced: its deposit, the payment reference, and the firm's account. */
export interface AnnouncedWire {
  readonly id: string
  readonly reference: string
  readonly iban: string
}

export async function announceWire(client: MadeClient, account: LiveAccount, amount: string): Promise<AnnouncedWire> {
  const body = wireBody({ login: account.number }, amount, account.currency)
  const { id, bankDetails } = (await call(await runningProduct(), requestWirePayment, { as: client, body })).answer
  return { id, reference: bankDetails.BankReference, iban: bankDetails.IBAN }
}

/** Returns one payment of a bank statement, in the format of its file. */
export function statementCsv(payment: {
  amount: string
  currency: Currency
  payer: string
  reference: string
}): string {
  const { amount, currency, payer, reference } = payment
  const day = new Date().toISOString().slice(0, 10)
  return `date,amount,currency,payer,remittance\n${day},${amount},${currency},"${payer}",${reference}\n`
}

/** Imports a statement with one payment; returns its transaction. */
export async function importPayment(wire: AnnouncedWire, payment: Parameters<typeof statementCsv>[0]): Promise<string> {
  const body = { bankAccount: wire.iban, filename: `${randomUUID()}.csv`, csv: statementCsv(payment) }
  const imported = await call(await runningProduct(), importStatement, { as: await earlierClerk(), body })
  await confirmImportedPayments(payment.reference)
  return imported.answer.lines[0]?.id ?? ''
}

/** Matches a transaction to the deposit that it pays; the credit follows. */
export async function matchPayment(line: string, { id }: AnnouncedWire): Promise<void> {
  const product = await runningProduct()
  const as = await earlierClerk()
  const { version } = (await call(product, getBankLine, { as, params: { id: line } })).answer.line
  const matched = await call(product, matchLine, { as, params: { id: line }, body: { version, depositId: id } })
  expect(matched.json).toMatchObject({ success: true })
}

let supervisor: Promise<MadeStaff> | undefined

/** Confirms large imported payments with this reference as a second person; those of other journeys stay pending. */
export async function confirmImportedPayments(reference: string): Promise<void> {
  const product = await runningProduct()
  supervisor ??= makeStaff(product, ['finance'], { name: 'Earlier Supervisor' })
  const as = await staffTokenFor(product, await supervisor)
  const large = await call(product, listBankLines, { as, query: { state: 'second_approval', q: reference } })
  for (const { id, version } of large.answer.rows)
    expect((await call(product, confirmLine, { as, params: { id }, body: { version } })).status).toBe(200)
}

/** Requests a withdrawal by bank transfer to an approved bank account. */
export async function createWithdrawalRequest(
  client: MadeClient,
  account: LiveAccount,
  amount: string,
): Promise<string> {
  const product = await runningProduct()
  const { currency, number } = account
  const banks = await call(product, getBankDetails, { as: client, params: { a: currency, b: 'approved' } })
  const bankId = banks.answer.bankDetails[0]?._id ?? (await makeApprovedBank(product, client, currency))
  const body = { ...withdrawalBody({ login: number }, bankId, amount), withdrawalCurrency: currency }
  return (await call(product, requestWithdrawal, { as: client, body })).answer.id
}

export async function createTransferRequest(
  client: MadeClient,
  from: LiveAccount,
  to: LiveAccount,
  amount: string,
): Promise<string> {
  const body = transferBody({ login: from.number }, { login: to.number }, amount, from.currency)
  return (await call(await runningProduct(), requestTransfer, { as: client, body })).answer.id
}

export async function createLeverageRequest(client: MadeClient, account: LiveAccount, leverage: number): Promise<void> {
  const body = { accountId: account.id, leverage }
  await call(await runningProduct(), updateAccount, { as: client, body })
}

/**
 * Returns a client with an account in EUR, part of whose balance a withdrawal sets aside, another in GBP without money,
 * and bank accounts in EUR and USD.
 */
export async function createClientWithReservation(balance: string, setAside: string) {
  const client = await newClient()
  const account = await createFundedAccount(client, balance)
  await createOpenAccount(client, 'GBP')
  const product = await runningProduct()
  await makeApprovedBank(product, client)
  await makeApprovedBank(product, client, 'USD')
  await createWithdrawalRequest(client, account, setAside)
  return { client, account }
}

/** Imports a payout of the card provider, which holds 80.00 USD: 77.50 arrive. Returns the bank transaction's id. */
export async function importCardSettlement(): Promise<string> {
  const product = await runningProduct()
  await transaction(product.dependencies.pool, (tx) =>
    post(tx, new Date(), { ref: randomUUID(), kind: 'card-arrival' }, [
      { account: { kind: 'provider', currency: 'USD', name: 'card' }, minor: 8_000n },
      { account: { kind: 'arrived_unmatched', currency: 'USD' }, minor: -8_000n },
    ]),
  )
  const client = await newClient()
  const wire = await announceWire(client, await createOpenAccount(client, 'USD'), '900.00')
  const reference = `Settlement ${randomInt(1_000_000)}`
  return importPayment(wire, { amount: '77.50', currency: 'USD', payer: 'Card provider', reference })
}
