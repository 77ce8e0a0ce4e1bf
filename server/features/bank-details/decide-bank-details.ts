/** Staff decide on a client's bank account; approved, it may be chosen for withdrawals. */
import type {
  approveBankDetails as approveEndpoint,
  rejectBankDetails as rejectEndpoint,
} from '#contract/office/bank-details.ts'
import { toldReason } from '#contract/office/rejection-reasons.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { bankDetailsLife } from '#rules/bank-details.ts'
import { staffOf, type Call } from '../../http/call.ts'
import type { Verb } from '../../http/serve.ts'
import { decide, requestToDecide } from '../../office/decide.ts'
import type { Parts } from '../../parts.ts'
import { tellClient } from '../../tell-client.ts'
import { lastFour } from '../../wording.ts'
import { bankRecordById, whyNotApproved } from './queries.ts'

type Deciding = Call<typeof approveEndpoint | typeof rejectEndpoint>

export function approveBankDetails(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => decideOn(parts, call, { verb: 'approve', reason: call.body.note })
}

export function rejectBankDetails(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const { reason, clientReason } = call.body
    return decideOn(parts, call, { verb: 'reject', reason, told: toldReason('bank_details', clientReason) })
  }
}

interface BankDecision {
  readonly verb: 'approve' | 'reject'
  readonly reason: string
  /** What the client reads of a rejection. */
  readonly told?: string
}

async function decideOn(parts: Parts, call: Deciding, decision: BankDecision) {
  const { verb, told = null } = decision
  const bank = requestToDecide(call, await bankRecordById(parts.pool, call.params.id), ({ email }) => email)
  const held = verb === 'approve' && bank.state === 'pending' && whyNotApproved(bank)
  if (held) throw held
  const set = { reason: told, decided_by: staffOf(call).staffId, decided_at: call.now }
  const { version } = call.body
  return decide(parts, call, bankDetailsLife, { request: bank, version, ...decision, set }, (tx) =>
    tellClient(
      tx,
      {
        kind: verb === 'approve' ? 'bank-details-approved' : 'bank-details-rejected',
        client: { id: bank.clientId, email: bank.email, language: bank.language },
        facts: { bank: bank.bankName, account: lastFour(bank.iban ?? bank.accountNumber), reason: told },
        link: portalPaths.bankRecord(bank.id),
        subject: bankDetailsLife.name,
        record: bank.id,
      },
      call.now,
    ),
  )
}
