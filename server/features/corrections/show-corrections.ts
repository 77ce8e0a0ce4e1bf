/** Corrections for staff: ledger and platform balances before and after. */
import type {
  getCorrection as getEndpoint,
  listCorrections as listEndpoint,
  listReturnableDeposits as returnableEndpoint,
} from '#contract/office/accounting.ts'
import { correctionMachine } from '#rules/corrections.ts'
import { checkNotOwnRequest } from '#rules/withdrawals.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { cachedSnapshot } from '../../ledger/account-snapshot.ts'
import { accountLiability } from '../../ledger/post.ts'
import { queuePage } from '../../office/listing.ts'
import { absentPlatform } from '../../office/decide.ts'
import { clientBrief, recordFieldsOf } from '../../office/records.ts'
import { commentText } from '../../i18n/format.ts'
import { correctionChecked } from './correction-checks.ts'
import {
  correctableAccount,
  correctionById,
  correctionColumns,
  correctionListing,
  liabilityAfter,
  returnableDeposits,
  type Correction,
} from './queries.ts'

export const listCorrections: Handler<typeof listEndpoint> = (dependencies, context) => {
  const { name } = correctionMachine
  return queuePage(dependencies, name, correctionListing, correctionColumns, context, (correction: Correction) => ({
    createdAt: correction.askedAt,
    ...factsOf(correction),
  }))
}

function factsOf(correction: Correction) {
  const { login, amountMinor, reason, askedBy, askedByName, depositId, depositReference } = correction
  const who = { id: askedBy, name: askedByName }
  const deposit =
    depositId !== null && depositReference !== null ? { id: depositId, reference: depositReference } : null
  return { ...correction, accountNumber: login, amount: amountMinor, why: reason, askedBy: who, deposit }
}

/** The deposits of an account that a correction may return. */
export const listReturnableDeposits: Handler<typeof returnableEndpoint> = async ({ pool }, { params }) => {
  if (!(await correctableAccount(pool, params.id))) throw new Problem('not-found')
  return { deposits: await returnableDeposits(pool, params.id) }
}

export const showCorrection: Handler<typeof getEndpoint> = async (dependencies, context) => {
  const correction = await correctionById(dependencies.pool, context.params.id)
  if (!correction) throw new Problem('not-found')
  const { accountId, currency, amountMinor, clientId } = correction
  const staff = requireStaff(context)
  const code =
    correction.askedBy === staff.staffId ? 'own-act' : checkNotOwnRequest(staff.email, correction.clientEmail)
  const refusal = code && new Problem(code)
  const client = await clientBrief(dependencies, clientId)
  const booked = await liabilityAfter(dependencies.pool, correction)
  const ledgerBefore = booked === null ? await accountLiability(dependencies.pool, { accountId }) : booked - amountMinor
  const decisionChecks = await checksOfPage(dependencies, context as RequestContext, correctionChecked, correction)
  const figures = await cachedSnapshot(dependencies.pool, accountId, currency)
  return {
    correction: {
      ...factsOf(correction),
      ...(await recordFieldsOf(context, dependencies, {
        ...correction,
        createdAt: correction.askedAt,
        reason: commentText(correction.decisionReason ?? '', context.language) || null,
        machine: correctionMachine,
        refusals: {
          approve: refusal ?? absentPlatform(dependencies, correction.platform) ?? decisionChecks.refusal,
          reject: refusal,
        },
      })),
      decisionChecks: decisionChecks.shown,
      client,
      ledgerBefore,
      ledgerAfter: ledgerBefore + amountMinor,
      platformBalance: figures?.balance.minor ?? null,
      readAt: figures?.readAt ?? null,
    },
  }
}
