/** Recovery for staff: its findings, what is stopped, what still blocks each channel, and the deals to decide. */
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type * as office from '#contract/office/recovery.ts'
import type { Currency } from '#rules/money.ts'
import { recoveryItemMachine } from '#rules/recovery-items.ts'
import { row, rows } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { pageOf } from '../../office/listing.ts'
import { clientsOf, recordFieldsOf, staffNames } from '../../office/records.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { bankCoverage } from '../../recovery/bank-coverage.ts'
import { recoveryOf } from '../../recovery/stopped-money.ts'
import { unknownAccounts } from '../../recovery/unknown-accounts.ts'
import type { Adopting } from '../../recovery/adopt-deal.ts'
import type { LineOfDeal } from '../../recovery/adoption.ts'
import {
  countsOf,
  dealOf,
  isDeal,
  itemById,
  itemColumns,
  itemListing,
  statementsOf,
  type RecoveryItem,
} from './queries.ts'

export async function showRecovery(dependencies: Dependencies): Promise<ResponseOf<typeof office.getRecovery>> {
  const recovery = await recoveryOf(dependencies.pool)
  if (!recovery) return { recovery: null }
  const [counts, confirmations, coverage] = await Promise.all([
    countsOf(dependencies.pool, recovery.id),
    statementsOf(dependencies.pool, recovery.id),
    bankCoverage(dependencies, dependencies.pool, recovery),
  ])
  const confirmationOf = (statement: (typeof confirmations)[number]['statement']) => {
    const found = confirmations.find((one) => one.statement === statement)
    return found ? { by: { id: found.staffId, name: found.name }, at: found.at } : null
  }
  return {
    recovery: {
      ...recovery,
      ...counts,
      bankAccounts: coverage.map(({ account, currency, coveredTo, neededTo, complete, typed }) => ({
        account,
        currency,
        coveredTo,
        neededTo,
        complete,
        typed: typed && { closing: typed.closing, on: typed.on, by: typed.typedBy, confirmedBy: typed.confirmedBy },
      })),
      unknownAccounts: await unknownAccounts(dependencies.pool),
      accessCompliance: confirmationOf('access-compliance'),
      accessAdministrator: confirmationOf('access-administrator'),
      bankFirst: confirmationOf('bank-first'),
      bankSecond: confirmationOf('bank-second'),
    },
  }
}

export const listItems: Handler<typeof office.listRecoveryItems> = async (dependencies, { query }) => {
  const { rows: items, next } = await pageOf(dependencies, itemListing, itemColumns, query)
  const clientOf = await clientsOf(dependencies, items)
  return { rows: items.map((item) => factsOf(item, clientOf(item.clientId))), next }
}

function factsOf(item: RecoveryItem, client: ClientBrief | null) {
  return { ...item, accountNumber: item.login, amount: item.amountMinor, client }
}

export async function showItem(
  dependencies: Dependencies,
  { adoptions, keys, linesOfAdopted }: LineDependencies,
  context: RequestContext<typeof office.getRecoveryItem>,
): Promise<ResponseOf<typeof office.getRecoveryItem>> {
  const item = await itemById(dependencies.pool, context.params.id)
  if (!item) throw new Problem('not-found')
  const clientOf = await clientsOf(dependencies, [item])
  const by = await staffNames(dependencies.pool, [item], ({ proposedBy }) => [proposedBy])
  const own = item.proposedBy === requireStaff(context).staffId ? new Problem('own-act') : null
  return {
    item: {
      ...factsOf(item, clientOf(item.clientId)),
      ...(await recordFieldsOf(context, dependencies, {
        ...item,
        createdAt: item.foundAt,
        machine: recoveryItemMachine,
        refusals: { confirm: own },
      })),
      proposedBy: by(item.proposedBy),
      operation: await operationOf(dependencies, item),
      banks: await banksOf(dependencies, item),
      destinations: await destinationsOf(dependencies, item),
      lines: (await linesOf(dependencies, { adoptions, keys, linesOfAdopted }, item, context.now)).map(
        ({ amountMinor: amount, ...line }) => ({ ...line, amount }),
      ),
    },
  }
}

type LineDependencies = Pick<Adopting, 'adoptions' | 'keys' | 'linesOfAdopted'>

async function linesOf(
  { pool }: Dependencies,
  { adoptions, keys, linesOfAdopted }: LineDependencies,
  item: RecoveryItem,
  now: Date,
): Promise<LineOfDeal[]> {
  if (item.kind === 'line-missing') return item.record === null ? [] : linesOfAdopted(pool, item.record, now)
  if (!isDeal(item)) return []
  return (await adoptions[item.subject ?? '']?.lines?.(pool, dealOf(item), keys, now)) ?? []
}

/** Returns the recorded operation with a deal's reference, or null. */
function operationOf({ pool }: Dependencies, { comment }: RecoveryItem) {
  return row<{ amount: bigint; currency: Currency; platform: Platform; accountNumber: string }>(pool)`
    select (payload ->> 'minor')::bigint as amount, payload ->> 'currency' as currency,
        payload ->> 'platform' as platform, payload ->> 'login' as "accountNumber"
      from operations where kind = 'balance' and ref = ${comment}`
}

function banksOf(dependencies: Dependencies, { clientId, leg, currency }: RecoveryItem) {
  if (leg !== 'withdrawal-debit') return []
  return rows<{ id: string; name: string; number: string }>(dependencies.pool)`
    select id, bank_name as name, coalesce(iban, account_number) as number from bank_details
      where client_id = ${clientId}::uuid and currency = ${currency} order by added_at desc`
}

function destinationsOf(dependencies: Dependencies, { clientId, accountId, leg }: RecoveryItem) {
  if (leg !== 'transfer-withdraw') return []
  return rows<{ id: string; platform: string; number: string; currency: 'EUR' | 'GBP' | 'USD' }>(dependencies.pool)`
    select id, platform, login as number, currency from trading_accounts
      where client_id = ${clientId}::uuid and id is distinct from ${accountId}::uuid and state = 'approved'
        and request_type = 'live' order by login`
}
