/** Compliance decides on a pending change (requirements 5.5). */
import { portalPaths } from '#contract/portal-paths.ts'
import type { CountryChanges } from '#rules/countries.ts'
import { profileChangeMachine } from '#rules/profile-changes.ts'
import type { ProfileChangeId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { columnOf } from '../../db/profile-columns.ts'
import { run, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem, requireFound, throwIfProblem } from '../../http/problem.ts'
import { notifyClient, sendMail } from '../../mail/send-mail.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createLink, endUnusedLinks } from '../../auth/one-time-links.ts'
import { profileChangeById, applicabilityProblem, type ProfileChange } from './queries.ts'

interface ChangeDecision {
  readonly version: number
  readonly reason: string
  /** The text of a rejection for the client. */
  readonly clientReason?: string
}

type DecisionContext = Pick<RequestContext, 'caller' | 'auditContext' | 'now'> & {
  readonly params: { readonly id: ProfileChangeId }
}

const { name: kind } = profileChangeMachine

/** Applies the change, sends a new address its link, or rejects the change with a reason for the client. */
export async function decideProfileChange(
  dependencies: Dependencies,
  context: DecisionContext,
  action: 'approve' | 'reject',
  decision: ChangeDecision,
) {
  const { id } = context.params
  const { version, reason, clientReason = null } = decision
  const { changes } = await dependencies.settings.get('countries')
  const { confirmationHours } = await dependencies.settings.get('security')
  return takeDecision(dependencies, context, kind, id, async (tx) => {
    const change = requireFound(await profileChangeById(tx, id))
    assertNotOwnRequest(requireStaff(context), change.email)
    const isApproval = action === 'approve'
    if (isApproval && change.state === 'pending') await assertApprovable(tx, context, change, changes)
    const isAddress = change.field === 'email'
    const of = { id, clientId: change.clientId }
    const after = await applyTransition(tx, profileChangeMachine, context.auditContext, of, action, {
      ...(isApproval ? { to: isAddress ? ('confirming' as const) : ('approved' as const) } : {}),
      version,
      reason,
      set: { decided_at: context.now, decided_by: requireStaff(context).staffId, reason: clientReason },
      ...(isApproval && !isAddress
        ? { details: { before: { [change.field]: change.from }, after: { [change.field]: change.to } } }
        : {}),
      ...(clientReason === null ? {} : { details: { clientReason } }),
      workItem: null,
    })
    if (isApproval && isAddress) await mailNewAddress(tx, dependencies, change, confirmationHours, context.now)
    else await completeChange(tx, context, change, clientReason)
    return after
  })
}

/** Throws if dual approval is required, or if the change has become impossible since. */
async function assertApprovable(
  tx: Transaction,
  context: DecisionContext,
  change: ProfileChange,
  countries: CountryChanges,
) {
  if (change.askedBy === requireStaff(context).staffId) throw new Problem('own-act')
  throwIfProblem(await applicabilityProblem(tx, change, countries))
}

async function mailNewAddress(
  tx: Transaction,
  dependencies: Dependencies,
  change: ProfileChange,
  hours: number,
  now: Date,
) {
  const { id: record, clientId, to, language } = change
  const owner = { clientId }
  const link = await createLink(
    tx,
    dependencies.keys,
    { purpose: 'email-change', owner, lifeSeconds: hours * 3600 },
    now,
  )
  const mail = { kind: 'confirm-new-email', to, language, facts: { link, hours } } as const
  await sendMail(tx, now, { ...mail, clientId, subject: kind, record })
}

/** Writes an approved change, or ends the link of a rejected address, and notifies the client. */
async function completeChange(tx: Transaction, context: DecisionContext, change: ProfileChange, reason: string | null) {
  const { id: record, clientId, field, email, language } = change
  if (field === 'email') await endUnusedLinks(tx, 'email-change', { clientId }, context.now)
  else if (reason === null)
    await run(tx)`update clients set ${columnOf(field)} = ${change.to}, version = version + 1 where id = ${clientId}`
  await notifyClient(tx, context.now, {
    kind: reason === null ? 'profile-change-approved' : 'profile-change-rejected',
    client: { id: clientId, email, language },
    facts: { field, ...(reason === null ? {} : { reason }) },
    link: portalPaths.profile,
    subject: kind,
    record,
  })
}
