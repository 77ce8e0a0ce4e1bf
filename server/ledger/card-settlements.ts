/** Settlements of the card provider: what it held reaches the firm's bank, less its charges (ADR 344). */
import { bankLineMachine, checkSettlement, grossSettlement } from '#rules/deposits.ts'
import { money } from '#rules/money.ts'
import type { AuditContext } from '../db/events.ts'
import { requireRow, type Connection, type Transaction } from '../db/sql.ts'
import { cardProvider } from '../recovery/lost-checkouts.ts'
import { explainOutgoing, type BookedLine } from './firm-money.ts'
import { post } from './post.ts'

export interface SettledLine extends BookedLine {
  readonly feeMinor: bigint
  readonly reason: string
}

interface ProviderMoney {
  /** Held at the provider, in minor units; negative after chargebacks of settled payments. */
  readonly held: bigint
  /** Refunds and chargebacks that no confirmed debit has settled, in minor units. */
  readonly returned: bigint
}

/** Returns the money that this settlement may move. Its own debit does not count as settled. */
async function providerMoney(
  connection: Connection,
  { id, currency }: Pick<BookedLine, 'id' | 'currency'>,
): Promise<ProviderMoney> {
  return requireRow<ProviderMoney>(connection)`
    select (select coalesce(sum(balance_minor), 0) from ledger_accounts
          where kind = 'provider' and currency = ${currency})::bigint as held,
        ((select coalesce(sum(-p.minor), 0) from postings p join entries e on e.id = p.entry_id
            where e.kind in ('refunded', 'charged_back')
              and p.ledger_account in (select id from ledger_accounts where kind = 'provider' and currency = ${currency}))
          + (select coalesce(sum(least(amount_minor + settlement_fee_minor, 0)), 0) from bank_lines
            where state = 'card_settlement' and currency = ${currency} and id <> ${id}))::bigint as returned`
}

/** Returns why a transaction cannot be a settlement with this charge, with the most that is possible, or null. */
export async function settlementProblem(
  connection: Connection,
  line: Pick<BookedLine, 'id' | 'amountMinor' | 'currency'>,
  fee: bigint,
) {
  const { amountMinor: net, currency } = line
  const { held, returned } = await providerMoney(connection, line)
  const code = checkSettlement({ net, fee, held, returned })
  if (code === null) return null
  const most = code === 'settlement-over-balance' ? held : returned
  return { code, most: money(most > 0n ? most : 0n, currency) }
}

/**
 * Posts a confirmed settlement: a receipt leaves arrived-unmatched, a debit leaves the bank and its open discrepancy is
 * explained. The provider holds less by the gross amount, and its charges are a cost of the firm.
 */
export async function postSettlement(tx: Transaction, auditContext: AuditContext, line: SettledLine): Promise<void> {
  const { id, amountMinor, currency, bankAccount: name, feeMinor, reason } = line
  const from =
    amountMinor > 0n ? ({ kind: 'arrived_unmatched', currency } as const) : { kind: 'bank' as const, currency, name }
  const kind = 'card-settlement'
  await post(tx, auditContext.now, { ref: `${kind}:${id}`, kind, subject: bankLineMachine.name, record: id }, [
    { account: from, minor: amountMinor },
    { account: { kind: 'fees', currency }, minor: feeMinor },
    {
      account: { kind: 'provider', currency, name: cardProvider },
      minor: -grossSettlement({ net: amountMinor, fee: feeMinor }),
    },
  ])
  await explainOutgoing(tx, auditContext, id, reason)
}
