/** Compliance decides on a change that waits: product-decisions section 10. */
import { portalPaths } from '#contract/portal-paths.ts'
import type { CountryChanges } from '#rules/countries.ts'
import { profileChangeLife, type ChangedField } from '#rules/profile-changes.ts'
import { advance } from '../../db/transition.ts'
import { raw, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { makeLink, replaceLinks } from '../../auth/one-time-links.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { profileChangeById, whyImpossible, type ProfileChange } from './queries.ts'

export interface ChangeDecision {
  readonly verb: 'approve' | 'reject'
  readonly id: string
  readonly version: number
  readonly reason: string
  /** What the client reads of a rejection. */
  readonly told?: string
}

type DecidingCall = Pick<Call, 'caller' | 'act' | 'now'>

const { name: kind } = profileChangeLife

const columns: Readonly<Record<Exclude<ChangedField, 'email'>, string>> = {
  name: 'name',
  surname: 'surname',
  birthDate: 'birth_date',
  nationality: 'nationality',
  country: 'country',
}

/** Applies the change, or mails a new address its link, or refuses the change with a reason that the client reads. */
export async function decideProfileChange(parts: Parts, call: DecidingCall, decision: ChangeDecision) {
  const { verb, id, version, reason, told = null } = decision
  const { changes } = await parts.settings.get('countries')
  const { confirmationHours } = await parts.settings.get('security')
  return namingDecider(parts, kind, id, () =>
    transaction(parts.pool, async (tx) => {
      const change = await profileChangeById(tx, id)
      if (!change) throw new Problem('not-found')
      refuseOwnRequest(staffOf(call), change.email)
      const isApproval = verb === 'approve'
      if (isApproval && change.state === 'pending') await refuseApproval(tx, call, change, changes)
      const isAddress = change.field === 'email'
      const after = await advance(tx, profileChangeLife, call.act, {
        id,
        verb,
        ...(isApproval ? { to: isAddress ? ('confirming' as const) : ('approved' as const) } : {}),
        version,
        clientId: change.clientId,
        ...(reason === '' ? {} : { reason }),
        set: { decided_at: call.now, decided_by: staffOf(call).staffId, reason: told },
        ...(isApproval && !isAddress
          ? { details: { before: { [change.field]: change.from }, after: { [change.field]: change.to } } }
          : {}),
        ...(told === null ? {} : { details: { clientReason: told } }),
        work: null,
      })
      if (isApproval && isAddress) await mailNewAddress(tx, parts, change, confirmationHours, call.now)
      else await settle(tx, call, change, told)
      return decidedAnswer(tx, call, kind, id, after)
    }),
  )
}

/** Four eyes where staff asked; and what has become impossible since. */
async function refuseApproval(tx: Transaction, call: DecidingCall, change: ProfileChange, countries: CountryChanges) {
  if (change.askedBy === staffOf(call).staffId) throw new Problem('own-act')
  refuse(await whyImpossible(tx, change, countries))
}

async function mailNewAddress(tx: Transaction, parts: Parts, change: ProfileChange, hours: number, now: Date) {
  const { id: record, clientId, to, language } = change
  const owner = { clientId }
  const link = await makeLink(tx, parts.keys, { purpose: 'email-change', owner, lifeSeconds: hours * 3600 }, now)
  const letter = { kind: 'confirm-new-email', to, language, facts: { link, hours } } as const
  await sendMail(tx, { ...letter, clientId, subject: kind, record }, now)
}

/** Writes what was approved, or ends the link of an address that was not, and tells the client. */
async function settle(tx: Transaction, call: DecidingCall, change: ProfileChange, reason: string | null) {
  const { id: record, clientId, field, email, language } = change
  if (field === 'email') await replaceLinks(tx, 'email-change', { clientId }, call.now)
  else if (reason === null) {
    const cast = raw(field === 'birthDate' ? '::date' : '')
    await run(
      tx,
      sql`update clients set ${raw(columns[field])} = ${change.to}${cast}, version = version + 1 where id = ${clientId}`,
    )
  }
  await tellClient(
    tx,
    {
      kind: reason === null ? 'profile-change-approved' : 'profile-change-rejected',
      client: { id: clientId, email, language },
      facts: { field, ...(reason === null ? {} : { reason }) },
      link: portalPaths.profile,
      subject: kind,
      record,
    },
    call.now,
  )
}
