/**
 * Sends the mails that `sendMail` (send-mail.ts) wrote, rendered when sent, in the recipient's language and the firm's
 * brand.
 */
import type { Language } from '#rules/choices.ts'
import type { AuditContext } from '../db/events.ts'
import { row, type Transaction } from '../db/sql.ts'
import { openOperationItem, type Operation, type OperationKind } from '../jobs/operation.ts'
import type { Dependencies } from '../dependencies.ts'
import { oneTimeIdsOf } from '../auth/one-time-links.ts'
import { renderLayout } from './layout.ts'
import { renderMail, type MailKind } from './template-registry.ts'
import { deferDuringOutage, releaseKeptMails } from '../jobs/mail-outage.ts'
import type { Letterhead } from './template.ts'

export interface MailPayload {
  readonly kind: MailKind
  readonly to: string
  readonly language: Language
  readonly facts: Readonly<Record<string, unknown>>
}

const triesMax = 20
/** A mail takes at most 160 s: the token, sending, and the server's response (smtp.ts). */
const leaseMs = 180_000

/** Returns the name, address and links of the firm as its mails show them. */
export async function letterheadOf(dependencies: Dependencies, idOf: (linkRow: string) => string): Promise<Letterhead> {
  const firm = await dependencies.settings.get('firm')
  return {
    firmName: firm.name,
    supportEmail: firm.supportEmail,
    brandColour: firm.brandColour,
    portalUrl: dependencies.config.portalUrl,
    officeUrl: dependencies.config.officeUrl,
    timeZone: firm.timeZone,
    languages: firm.languages,
    oneTimeId: idOf,
  }
}

/** Creates the operation of a mail. It may be sent more than once, always with the same Message-ID. */
export function mailOperation(dependencies: Dependencies): OperationKind<MailPayload> {
  return {
    kind: 'mail',
    repeatable: true,
    runsInRecovery: true,
    triesMax,
    leaseMs,
    keptInOutage: true,
    async send({ ref, payload }) {
      const named = Object.values(payload.facts).filter((fact) => typeof fact === 'string')
      const letterhead = await letterheadOf(
        dependencies,
        await oneTimeIdsOf(dependencies.jobs, dependencies.keys, named),
      )
      const content = renderMail(payload.kind, payload.facts, payload.language, letterhead)
      const body = renderLayout(content, content.language, letterhead)
      await dependencies.mail.send({
        to: payload.to,
        subject: content.subject,
        ...body,
        messageId: `<${ref}@${new URL(dependencies.config.portalUrl).hostname}>`,
        fromName: letterhead.firmName,
      })
      return {}
    },
    async settled(tx, operation, outcome, auditContext) {
      if ('done' in outcome) await releaseKeptMails(tx, operation, auditContext.now)
      else if (!(await deferDuringOutage(tx, operation, triesMax, auditContext.now)))
        await notifyRefusal(tx, operation, auditContext)
    },
  }
}

/**
 * Opens a work item for a mail to a client that was rejected permanently, one per client: a closed mailbox rejects
 * every mail. People who are not clients yet notice themselves that no mail arrives.
 */
async function notifyRefusal(tx: Transaction, operation: Operation, auditContext: AuditContext): Promise<void> {
  const { kind, clientId } = operation
  if (clientId === null) return
  const waiting = await row(tx)`select 1 from work_items w join operations o on o.id = w.record
      where w.client_id = ${clientId} and w.kind = 'operation' and w.closed_at is null and o.kind = ${kind} and o.state = 'refused'`
  if (waiting) return
  await openOperationItem(tx, operation, 'refused', auditContext.now)
}
