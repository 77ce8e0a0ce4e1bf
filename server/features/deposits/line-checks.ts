/**
 * The checks of a bank transaction: matched to a client's deposit, or returned to its sender (requirements 19.8,
 * 19.16).
 */
import { britishNumber } from '#rules/bank-details.ts'
import { judgeAll } from '#rules/checks/check.ts'
import { matchChecks, returnChecks, type LikelyClient } from '#rules/checks/deposit-checks.ts'
import { bankLineMachine } from '#rules/deposits.ts'
import type { ClientId, BankLineId } from '#rules/ids.ts'
import { referencesIn } from '#rules/references.ts'
import { isBefore } from '#rules/state-machine.ts'
import { numberOfDetails } from '../../checks/bank-numbers.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { clientFacts, factAsOf } from '../../checks/client-facts.ts'
import { row, rows, run, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { bankLineById, type BankLine } from './queries.ts'

const { name: kind } = bankLineMachine

/** A transaction and the client whose deposit it would be. */
interface LineWithClient extends BankLine {
  readonly clientId: ClientId
  readonly clientEmail: string
  readonly clientName: string
  readonly clientNumber: string
}

/** Returns the people who entered, imported or confirmed a transaction. */
const involved = ({ typedBy, importedBy, confirmedBy }: BankLine) => [typedBy, importedBy, confirmedBy]

/** Runs the checks of a match to a deposit or an account of one client. */
export function matchChecked(clientId: ClientId): CheckedRequest<LineWithClient> {
  return {
    kind,
    isOpen: isBefore(bankLineMachine, 'match'),
    find: (connection, id: BankLineId) => lineWithClient(connection, id, clientId),
    clientOf: ({ clientEmail }) => ({ id: clientId, email: clientEmail }),
    involved,
    refresh: async () => undefined,
    async lock(tx, { id }) {
      await run(tx)`select 1 from clients where id = ${clientId} for share`
      await lockLine(tx, id)
    },
    judge: async (connection, { payer, clientName, clientNumber }, { now }) =>
      judgeAll(matchChecks, {
        ...(await clientFacts(connection, clientId, now)),
        clientName,
        clientNumber,
        payer: { value: payer, source: 'bank', at: now },
      }),
  }
}

/** The checks of a return to the sender: the client who owns the payment is not certain. */
export const returnChecked: CheckedRequest<BankLine> = {
  kind,
  isOpen: isBefore(bankLineMachine, 'sendBack'),
  find: bankLineById,
  clientOf: () => ({ id: null, email: '' }),
  involved,
  refresh: async () => undefined,
  lock: (tx, { id }) => lockLine(tx, id),
  judge: async (connection, line, { now }) =>
    judgeAll(returnChecks, { likelyClients: factAsOf(await likelyClients(connection, line, now), now) }),
}

function lockLine(tx: Transaction, id: BankLineId): Promise<void> {
  return run(tx)`select 1 from bank_lines where id = ${id} for update`.then(() => undefined)
}

async function lineWithClient(
  connection: Connection,
  id: BankLineId,
  clientId: ClientId,
): Promise<LineWithClient | null> {
  const line = await bankLineById(connection, id)
  const client = await row<{ email: string; name: string; number: string }>(connection)`
    select email::text as email, name || ' ' || surname as name, number::text as number
      from clients where id = ${uuidOrNull(clientId)}::uuid`
  return (
    line &&
    client && { ...line, clientId, clientEmail: client.email, clientName: client.name, clientNumber: client.number }
  )
}

/**
 * Returns the likely clients of a payment: named by its reference, owner of the payer's account, or paid for from it
 * before.
 */
async function likelyClients(connection: Connection, line: BankLine, now: Date): Promise<LikelyClient[]> {
  const number = britishNumber(line.payerAccount)
  return rows<LikelyClient>(connection)`select c.number::text as number,
        exists (select from client_flags f where f.client_id = c.id and f.flag = 'sanction') as flagged,
        exists (select from payment_holds h where h.client_id = c.id and h.lifted_at is null
          and h.from_at <= ${now} and (h.until_at is null or h.until_at > ${now})) as "onHold"
      from clients c where c.id in (
        select client_id from deposits where reference = any (${referencesIn(line.remittance)}::text[])
        union select d.client_id from bank_lines l join deposits d on d.bank_line = l.id
          where ${number} <> '' and l.payer_account <> '' and british_number(l.payer_account) = ${number}
        union select client_id from bank_details b where ${number} <> '' and ${numberOfDetails(sql`b`)} = ${number})
      order by c.number`
}
