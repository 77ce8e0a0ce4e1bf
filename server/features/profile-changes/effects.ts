/** Effects of approving a profile change, which compliance should know before it decides. */
import type { getProfileChange } from '#contract/office/profile-changes.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { DocumentKind } from '#rules/document-kinds.ts'
import { isAccepted, isIdentityKind } from '#rules/documents.ts'
import type { RiskLevel } from '#rules/countries.ts'
import type { ChangedField } from '#rules/profile-changes.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, rows, type Connection } from '../../db/sql.ts'

type Effects = ResponseOf<typeof getProfileChange>['change']['affects']

interface Holdings {
  readonly banks: number
  readonly payouts: number
  readonly wires: number
  readonly accounts: number
}

/** Returns the effects; absent ones are omitted. `level` is the new country's risk level, for a change of country. */
export async function effectsOf(
  connection: Connection,
  { clientId, field }: { readonly clientId: ClientId; readonly field: ChangedField },
  level: RiskLevel,
): Promise<Effects> {
  if (field === 'email') return []
  const kinds = await approvedKinds(connection, clientId)
  if (field === 'country') {
    const refused = kinds.filter((kind) => !isAccepted(kind, level)).length
    return [...some('documents-not-accepted', refused), { code: 'methods-of-country', count: 1 }]
  }
  const documents = some('documents-with-old-value', kinds.filter(isIdentityKind).length)
  if (field !== 'name' && field !== 'surname') return documents
  const { banks, payouts, wires, accounts } = await holdingsOf(connection, clientId)
  return [
    ...documents,
    ...some('bank-holder', banks),
    ...some('payouts-under-old-name', payouts),
    ...some('wires-compared', wires),
    ...some('accounts-under-old-name', accounts),
  ]
}

function some(code: Effects[number]['code'], count: number): Effects {
  return count === 0 ? [] : [{ code, count }]
}

async function approvedKinds(connection: Connection, clientId: ClientId): Promise<DocumentKind[]> {
  const found = await rows<{ kind: DocumentKind }>(connection)`
    select kind from documents where client_id = ${clientId} and state = 'approved'`
  return found.map(({ kind }) => kind)
}

async function holdingsOf(connection: Connection, clientId: ClientId): Promise<Holdings> {
  const found = await row<Holdings>(connection)`
    select (select count(*)::int from bank_details where client_id = ${clientId} and state = 'approved') as banks,
      (select count(*)::int from withdrawals where client_id = ${clientId}
        and state in ('pending', 'second_approval', 'processing', 'approved')) as payouts,
      (select count(*)::int from deposits where client_id = ${clientId} and type = 'wire' and state = 'pending') as wires,
      (select count(*)::int from trading_accounts where client_id = ${clientId} and state = 'approved') as accounts`
  return found ?? { banks: 0, payouts: 0, wires: 0, accounts: 0 }
}
