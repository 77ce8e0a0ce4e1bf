/** Staff decide on a client's bank account; approved, it may be chosen for withdrawals. */
import type {
  approveBankDetails as approveEndpoint,
  rejectBankDetails as rejectEndpoint,
} from '#contract/office/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { bankDetailsLife } from '#rules/bank-details.ts'
import { advance } from '../../db/advance.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'
import { tellClient } from '../../tell-client.ts'
import { lastFour } from '../../wording.ts'
import { bankRecordById } from './queries.ts'

type Deciding = Call<typeof approveEndpoint | typeof rejectEndpoint>

const kind = bankDetailsLife.name

export function approveBankDetails(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => decide(parts, call, 'approve', call.body.note)
}

export function rejectBankDetails(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => decide(parts, call, 'reject', call.body.reason)
}

async function decide(parts: Parts, call: Deciding, verb: 'approve' | 'reject', reason: string) {
  const staff = staffOf(call)
  const bank = await bankRecordById(parts.pool, call.params.id)
  if (!bank) throw new Problem('not-found')
  refuseOwnRequest(staff, bank.email)
  return namingDecider(parts, kind, bank.id, () =>
    transaction(parts.pool, async (tx) => {
      const { clientId } = bank
      const told = verb === 'reject' ? reason : null
      const after = await advance(tx, bankDetailsLife, call.act, {
        id: bank.id,
        verb,
        version: call.body.version,
        clientId,
        ...(reason ? { reason } : {}),
        set: { reason: told, decided_by: staff.staffId, decided_at: call.now },
        work: null,
      })
      await tellClient(
        tx,
        {
          kind: verb === 'approve' ? 'bank-details-approved' : 'bank-details-rejected',
          client: { id: clientId, email: bank.email, language: bank.language },
          facts: { bank: bank.bankName, account: lastFour(bank.iban ?? bank.accountNumber), reason: told },
          link: portalPaths.bankDetails,
          subject: kind,
          record: bank.id,
        },
        call.now,
      )
      return decidedAnswer(tx, kind, bank.id, after)
    }),
  )
}
