/** The bank's transactions of a product in time, and the import of its statements. */
import { importStatement } from '#contract/office/bank-lines.ts'
import type { MadeStaff, TestServer } from '../factories.ts'
import { callSuccessfully, type RestorableProduct } from './restorable-product.ts'

async function referenceOf({ dependencies }: TestServer, table: string, id = ''): Promise<string> {
  const { rows: found } = await dependencies.pool.query<{ reference: string }>(
    `select reference from ${table} where id = $1`,
    [id],
  )
  return found[0]?.reference ?? ''
}

export interface BankLine {
  readonly id: string
  readonly amount: string
  readonly payer: string
  readonly remittance: string
}

export async function wireBankLine({ server, ids }: RestorableProduct): Promise<BankLine> {
  const remittance = await referenceOf(server, 'deposits', ids['wire'])
  return { id: 'LINE-WIRE', amount: '100.00', payer: 'Hannah Brandt', remittance }
}

/** Returns the bank's transactions in that time: the incoming bank transfer, and the payouts. */
export async function productBankLines(product: RestorableProduct): Promise<BankLine[]> {
  const { server, ids } = product
  const payouts = [
    ['paid', '-50.00'],
    ['released', '-55.00'],
    ['lostWithdrawal', '-85.00'],
  ] as const
  const out = payouts.map(async ([name, amount]) => ({
    id: `LINE-${name}`,
    amount,
    payer: 'Hannah Brandt',
    remittance: await referenceOf(server, 'withdrawals', ids[name]),
  }))
  return [await wireBankLine(product), ...(await Promise.all(out))]
}

/** Imports transactions of the firm's account in EUR, with its balances if given. */
export async function importBankLines(
  server: TestServer,
  as: MadeStaff,
  lines: readonly BankLine[],
  balances: { opening?: string; closing?: string } = {},
) {
  const { EUR } = await server.dependencies.settings.get('wireAccounts')
  const day = server.clock.now().toISOString().slice(0, 10)
  const rowsOfFile = lines.map(({ id, amount, payer, remittance }) =>
    [id, day, amount, 'EUR', payer, remittance].join(),
  )
  const csv = ['id,date,amount,currency,payer,remittance', ...rowsOfFile, ''].join('\n')
  const filename = `${lines.map(({ id }) => id).join('-')}.csv`
  const body = { bankAccount: EUR.IBAN.replace(/\s/g, ''), filename, csv, ...balances }
  return callSuccessfully(server, importStatement, { as, body })
}
