/** `operator recover`: adopts what platforms and provider show since a time, while servers run (requirements 20.13). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { adoptionsOfFeatures } from '../features.ts'
import { queryProvider } from '../features/deposits/settle-checkout.ts'
import { openLog } from '../log/log.ts'
import { folderStore } from '../integrations/file-store/file-store.ts'
import { clockLookup } from '../jobs/platform-days.ts'
import { connectIntegrations } from '../integrations/connect.ts'
import type { Dependencies } from '../dependencies.ts'
import { openBreachedPasswords } from '../auth/breached-passwords.ts'
import { noLocations } from '../http/ip-locations.ts'
import { disableUnknownAccounts, type UnknownAccountsReport } from '../recovery/unknown-accounts.ts'
import { AlreadyRecovering, NoRecovery, recover, type RecoverReport } from '../recovery/recover.ts'
import { CommandError, type OperatorContext } from './context.ts'

type Print = (line: string) => void

/**
 * Runs once and prints the findings. Returns false if something still prevents the opening of the channel of accounts.
 */
export async function recoverCommand(
  context: OperatorContext,
  { since, mt4Logins }: { readonly since: string; readonly mt4Logins: string },
  print: Print,
): Promise<boolean> {
  const from = new Date(since)
  if (since === '' || Number.isNaN(from.getTime()) || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(since))
    throw new CommandError('Enter the time of the backup: --since 2026-11-21T18:30:00Z')
  if (from > context.now()) throw new CommandError('--since is in the future. Enter the time of the backup.')
  const logins = mt4Logins === '' ? [] : await loginsIn(mt4Logins)
  const log = openLog('silent')
  const integrations = connectIntegrations(
    context.config,
    log,
    context.now,
    clockLookup(context.jobs, context.settings),
  )
  const breachedPasswords = await openBreachedPasswords(context.config.breachedPasswordsFile)
  const files = folderStore(join(context.config.dataDir, 'files'))
  const { signal: stopping } = new AbortController()
  const dependencies: Dependencies = {
    ...context,
    ...integrations.parts,
    breachedPasswords,
    ipLocations: noLocations,
    files,
    log,
    stopping,
    pause: wait,
  }
  try {
    const findAccounts = () => disableUnknownAccounts(dependencies, { since: from, mt4Logins: logins })
    const before = await findAccounts()
    if (!before)
      throw new CommandError(
        'No recovery is open, and nothing was done. After a restore, run operator restored --yes first, with all servers stopped.',
      )
    const report = await recover(
      {
        dependencies,
        ...adoptionsOfFeatures(dependencies),
        askCheckout: (id, auditContext) => queryProvider(dependencies, id, auditContext),
      },
      from,
    ).catch((error: unknown) => {
      if (error instanceof NoRecovery) return null
      throw error
    })
    if (report) printReport(report, print)
    else print('No recovery is open. Only the search for accounts that are missing from this database was run.')
    // The accounts of deals that this run has found.
    const after = (report && (await findAccounts())) ?? { ...before, disabled: 0 }
    const accounts = {
      found: Math.max(before.found, after.found),
      disabled: before.disabled + after.disabled,
      unread: before.unread.length > 0 ? before.unread : after.unread,
      absent: before.absent,
      problems: after.problems,
    }
    printAccounts(accounts, print)
    return (report?.holds.length ?? 0) === 0 && accounts.unread.length === 0 && accounts.problems.length === 0
  } catch (error) {
    if (error instanceof AlreadyRecovering)
      throw new CommandError('Another run of recover is in progress. Wait until it ends.')
    throw error
  } finally {
    await integrations.close()
    await breachedPasswords.close()
  }
}

/** Reads the operator's list of MT4 logins, one per line. */
async function loginsIn(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(`${path} could not be read. Check the path, and who may read the file.`)
  })
  const logins = text.split(/\s+/).filter((word) => word !== '')
  const wrong = logins.find((word) => !/^\d{1,18}$/.test(word))
  if (wrong !== undefined) throw new CommandError(`"${wrong}" in ${path} is not a login. Enter one number per line.`)
  return logins
}

function printAccounts({ found, disabled, unread, absent, problems }: UnknownAccountsReport, print: Print): void {
  print(`Accounts on the platforms that are not in this database: ${found}. Disabled on the platforms: ${disabled}.`)
  if (absent.length > 0) print(`! Accounts not found on MT4: ${absent.join(', ')}.`)
  for (const text of problems) print(`! ${text}`)
  for (const platform of unread) print(`! ${platform} did not respond. Run recover again when it does.`)
}

function printReport(report: RecoverReport, print: Print): void {
  const { deals, adopted, items, checkouts, confirmations, cleared, holds, accountsOpened } = report
  print(
    `Balance deals since ${report.since.toISOString()}: ${deals}. Adopted: ${adopted}. Need a decision by two people: ${items}.`,
  )
  print(`Checkouts queried: ${checkouts}.`)
  print(`Requests awaiting the client's confirmation: ${confirmations}. Can be rejected: ${cleared}.`)
  for (const hold of holds) print(`! ${hold}`)
  if (accountsOpened)
    print(
      'Trading accounts and card payments are available again. Complete recovery at /office/recovery to resume payouts.',
    )
  else if (holds.length === 0) print('Trading accounts and card payments were already available.')
}
