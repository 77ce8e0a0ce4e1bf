/** Sends what `sendMail` wrote: drawn at the moment of sending, in its reader's language and the firm's brand. */
import type { Act } from '../db/events.ts'
import { row, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { openWork } from '../db/work-items.ts'
import type { Operation, OperationKind } from '../jobs/operations.ts'
import type { Language } from '../http/problem.ts'
import type { Parts } from '../dependencies.ts'
import { oneTimeIdsOf } from '../auth/one-time-links.ts'
import { layOut } from './layout.ts'
import { drawLetter, type MailKind } from './template-registry.ts'
import { keepWhatAllAreRefused, letRefusedOnesGo } from '../jobs/mail-outage.ts'
import type { Stationery } from './template.ts'

export interface MailPayload {
  readonly kind: MailKind
  readonly to: string
  readonly language: Language
  readonly facts: Readonly<Record<string, unknown>>
}

const triesMax = 20

/** The firm as its letters show it. */
export async function stationeryOf(parts: Parts, idOf: (linkRow: string) => string): Promise<Stationery> {
  const firm = await parts.settings.get('firm')
  return {
    firmName: firm.name,
    supportEmail: firm.supportEmail,
    brandColour: firm.brandColour,
    portalUrl: parts.config.portalUrl,
    officeUrl: parts.config.officeUrl,
    timeZone: firm.timeZone,
    languages: firm.languages,
    oneTimeId: idOf,
  }
}

/** A mail is repeatable: at least once, always under the same Message-ID. */
export function mailOperation(parts: Parts): OperationKind<MailPayload> {
  return {
    kind: 'mail',
    repeatable: true,
    goesOnInRecovery: true,
    triesMax,
    async send({ ref, payload }) {
      const named = Object.values(payload.facts).filter((fact) => typeof fact === 'string')
      const stationery = await stationeryOf(parts, await oneTimeIdsOf(parts.jobs, parts.keys, named))
      const drawn = drawLetter(payload.kind, payload.facts, payload.language, stationery)
      const body = layOut(drawn, drawn.language, stationery)
      await parts.mail.send({
        to: payload.to,
        subject: drawn.subject,
        ...body,
        messageId: messageIdOf(parts, ref),
        fromName: stationery.firmName,
      })
      return {}
    },
    async settled(tx, operation, outcome, act) {
      if ('done' in outcome) await letRefusedOnesGo(tx, act.now)
      else if (!(await keepWhatAllAreRefused(tx, operation, triesMax, act.now))) await tellOfRefusal(tx, operation, act)
    },
  }
}

/**
 * What the mail server refuses for good waits for a person, once for a client: a closed mailbox refuses every letter.
 * Whoever is no client yet sees for himself that nothing comes.
 */
async function tellOfRefusal(tx: Transaction, operation: Operation, act: Act): Promise<void> {
  const { id, kind, clientId, subject, ref, tries } = operation
  if (clientId === null) return
  const waiting = await row(
    tx,
    sql`select 1 from work_items w join operations o on o.id = w.record
        where w.client_id = ${clientId} and w.kind = 'operation' and w.closed_at is null and o.kind = ${kind} and o.state = 'refused'`,
  )
  if (waiting) return
  await openWork(
    tx,
    'operation',
    id,
    { state: 'refused', dueAt: act.now, clientId, summary: { kind, subject, ref, tries } },
    act.now,
  )
}

function messageIdOf(parts: Parts, ref: string): string {
  return `<${ref}@${new URL(parts.config.portalUrl).hostname}>`
}
