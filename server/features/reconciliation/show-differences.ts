/** The discrepancies for staff: one row each, with both sides (requirements 21.12). */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getDifference as getEndpoint, listDifferences as listEndpoint } from '#contract/office/accounting.ts'
import type { ClientBrief } from '#contract/office/briefs.ts'
import { differenceMachine } from '#rules/corrections.ts'
import { blocksAccount, proposalsFor } from '#rules/differences.ts'
import type { Handler } from '../../http/handler.ts'
import { requireFound } from '../../http/problem.ts'
import { pageOf } from '../../office/listing.ts'
import { clientsOf, recordFieldsOf } from '../../office/records.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { emailOf, refusalsOf } from './decide-difference.ts'
import {
  differenceById,
  differenceColumns,
  differenceListing,
  lastRun,
  postingsAround,
  type DifferenceRow,
} from './queries.ts'

const aroundMs = 3 * 86_400_000

type Listed = ResponseOf<typeof listEndpoint>
type Detail = ResponseOf<typeof getEndpoint>['difference']

export const listDifferences: Handler<typeof listEndpoint> = async (dependencies, context) => {
  const { rows, next } = await pageOf(dependencies, differenceListing, differenceColumns, context.query)
  const clientOf = await clientsOf(dependencies, rows)
  return {
    rows: rows.map((one) => differenceResponse(one, clientOf(one.clientId))),
    lastRun: await lastRun(dependencies.pool),
    next,
  }
}

function differenceResponse(one: DifferenceRow, client: ClientBrief | null): Listed['rows'][number] {
  const { kind, ours, theirs } = one
  return {
    ...one,
    client,
    accountNumber: one.login,
    difference: ours === null && theirs === null ? null : (theirs ?? 0n) - (ours ?? 0n),
    holds: blocksAccount(kind),
    proposal: proposalOf(one),
    decidedBy:
      one.decidedById !== null && one.decidedByName !== null ? { id: one.decidedById, name: one.decidedByName } : null,
  }
}

function proposalOf({
  proposal,
  proposedById: id,
  proposedByName: name,
  proposedAt: at,
  proposalReason,
}: DifferenceRow) {
  if (proposal === null || id === null || name === null || at === null) return null
  return { proposal, by: { id, name }, at, reason: proposalReason ?? '' }
}

export const showDifference: Handler<typeof getEndpoint> = async (dependencies, context) => {
  const one = requireFound(await differenceById(dependencies.pool, context.params.id))
  const clientOf = await clientsOf(dependencies, [one])
  const [from, until] = [new Date(one.foundAt.getTime() - aroundMs), new Date(one.foundAt.getTime() + aroundMs)]
  return {
    difference: {
      ...(await recordFieldsOf(context, dependencies, {
        ...one,
        createdAt: one.foundAt,
        decidedBy: one.decidedById,
        machine: differenceMachine,
        refusals: refusalsOf(dependencies, context, one, await emailOf(dependencies.pool, one.clientId)),
      })),
      proposals: [...proposalsFor(one.kind)],
      row: differenceResponse(one, clientOf(one.clientId)),
      ours: one.accountId === null ? [] : await postingsAround(dependencies.pool, one.accountId, from, until),
      theirs: await platformOperations(dependencies, one, from, until),
    },
  }
}

/** Returns the platform's current operations; none if it does not respond. */
async function platformOperations(
  dependencies: Dependencies,
  one: DifferenceRow,
  from: Date,
  until: Date,
): Promise<Detail['theirs']> {
  if (one.platform === null || one.login === null) return []
  try {
    const found = await dependencies.platforms[one.platform].balanceOperations(one.login, from, until)
    return found.flatMap(({ ticket, amount, comment, at }) =>
      amount === null ? [] : [{ ref: comment ?? '', ticket, amount: amount.minor, at }],
    )
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    return []
  }
}
