/** Corrections for staff: ledger and platform before and after. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getCorrection as getEndpoint, listCorrections as listEndpoint } from '#contract/office/accounting.ts'
import { correctionLife } from '#rules/corrections.ts'
import { notOwnRequest } from '#rules/withdrawals.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { keptFigures } from '../../ledger/account-snapshot.ts'
import { accountLiability } from '../../ledger/post.ts'
import { queuePage } from '../../office/queue-page.ts'
import { absentPlatform } from '../../office/decide.ts'
import { clientBriefs, recordFieldsOf } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { commentText } from '../../i18n/format.ts'
import { correctionChecked } from './correction-checks.ts'
import { correctionById, correctionColumns, correctionListing, owedAfter, type Correction } from './queries.ts'

type Listed = AnswerOf<typeof listEndpoint>

export function listCorrections(parts: Parts, { query }: Call<typeof listEndpoint>): Promise<Listed> {
  const { name } = correctionLife
  return queuePage(parts, name, correctionListing, correctionColumns, query, (correction: Correction) => ({
    createdAt: correction.askedAt,
    ...factsOf(correction),
  }))
}

function factsOf(correction: Correction) {
  const { state, accountId, login, amountMinor, currency, reason, askedBy, askedByName } = correction
  return {
    state,
    accountId,
    accountNumber: login,
    amount: amountMinor,
    currency,
    why: reason,
    askedBy: { id: askedBy, name: askedByName },
  }
}

export async function showCorrection(
  parts: Parts,
  call: Call<typeof getEndpoint>,
): Promise<AnswerOf<typeof getEndpoint>> {
  const correction = await correctionById(parts.pool, call.params.id)
  if (!correction) throw new Problem('not-found')
  const { id, version, state, accountId, currency, amountMinor, clientId } = correction
  const staff = staffOf(call)
  const code = correction.askedBy === staff.staffId ? 'own-act' : notOwnRequest(staff.email, correction.clientEmail)
  const refusal = code && new Problem(code)
  const client = (await clientBriefs(parts, parts.pool, [clientId])).get(clientId)
  if (!client) throw new Problem('not-found')
  const booked = await owedAfter(parts.pool, correction)
  const ledgerBefore = booked === null ? await accountLiability(parts.pool, { accountId }) : booked - amountMinor
  const decisionChecks = await checksOfPage(parts, call as Call, correctionChecked, correction, state === 'pending')
  const figures = await keptFigures(parts.pool, accountId, currency)
  return {
    correction: {
      ...(await recordFieldsOf(call, parts.pool, {
        kind: correctionLife.name,
        id,
        version,
        createdAt: correction.askedAt,
        decidedAt: correction.decidedAt,
        decidedBy: correction.decidedBy,
        reason: commentText(correction.decisionReason ?? '', call.language) || null,
        life: correctionLife,
        state,
        refusals: {
          approve: refusal ?? absentPlatform(parts, correction.platform) ?? decisionChecks.refusal,
          reject: refusal,
        },
      })),
      checks: [],
      decisionChecks: decisionChecks.shown,
      ...factsOf(correction),
      client,
      ledgerBefore,
      ledgerAfter: ledgerBefore + amountMinor,
      platformBalance: figures?.balance.minor ?? null,
      readAt: figures?.readAt ?? null,
    },
  }
}
