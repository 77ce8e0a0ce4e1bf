/** The firm's own client money accounts, as statements and staff name them. */
import { Problem } from '../../http/problem.ts'
import { firmAccounts, normalizeAccountNumber, type FirmAccount } from '../../settings/firm-bank-account.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Returns every IBAN and number of the firm's present and former accounts, without spaces. */
export async function firmAccountNumbers({ pool }: Pick<Dependencies, 'pool'>): Promise<string[]> {
  return (await firmAccounts(pool)).flatMap(({ names }) => names)
}

async function findFirmAccount({ pool }: Pick<Dependencies, 'pool'>, written: string): Promise<FirmAccount | null> {
  const number = normalizeAccountNumber(written)
  return (await firmAccounts(pool)).find(({ names }) => names.includes(number)) ?? null
}

/** Returns the firm's account of an IBAN or number, with its currency. Throws `account-unknown-bank`. */
export async function firmAccount(dependencies: Pick<Dependencies, 'pool'>, written: string): Promise<FirmAccount> {
  const found = await findFirmAccount(dependencies, written)
  if (!found) throw new Problem('account-unknown-bank', { field: 'bankAccount' })
  return found
}

/**
 * Returns the account of a statement: named by the file or chosen by a clerk. Throws `statement-other-account` if the
 * two differ, and `statement-account-unknown` if the file's is not the firm's. Null if neither is named.
 */
export async function accountOfStatement(
  dependencies: Pick<Dependencies, 'pool'>,
  written: string | undefined,
  inFile: string | null,
): Promise<FirmAccount | null> {
  const chosen = written ? await firmAccount(dependencies, written) : null
  const named = inFile === null ? null : await findFirmAccount(dependencies, inFile)
  if (inFile !== null && (named === null || (chosen !== null && chosen.name !== named.name)))
    throw new Problem(chosen ? 'statement-other-account' : 'statement-account-unknown', {
      values: { account: inFile.slice(0, 42), ours: chosen?.name ?? '' },
      field: 'csv',
    })
  return chosen ?? named
}
