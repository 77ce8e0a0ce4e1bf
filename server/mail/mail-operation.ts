/** Sends what `sendMail` wrote: drawn at the moment of sending, in the client's language and the firm's brand. */
import type { OperationKind } from '../jobs/operations.ts'
import type { Language } from '../http/problem.ts'
import type { Parts } from '../parts.ts'
import { oneTimeIdsOf } from '../people/one-time-links.ts'
import { layOut } from './layout.ts'
import { drawLetter, type MailKind } from './kinds.ts'
import type { Stationery } from './letter.ts'

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
    oneTimeId: idOf,
  }
}

/** A mail is repeatable: at least once, always under the same Message-ID. */
export function mailOperation(parts: Parts): OperationKind<MailPayload> {
  return {
    kind: 'mail',
    repeatable: true,
    triesMax,
    async send({ ref, payload }) {
      const named = Object.values(payload.facts).filter((fact) => typeof fact === 'string')
      const stationery = await stationeryOf(parts, await oneTimeIdsOf(parts.jobs, parts.keys, named))
      const drawn = drawLetter(payload.kind, payload.facts, payload.language, stationery)
      const body = layOut(drawn, payload.language, stationery)
      await parts.mail.send({
        to: payload.to,
        subject: drawn.subject,
        ...body,
        messageId: messageIdOf(parts, ref),
        fromName: stationery.firmName,
      })
      return {}
    },
    async settled() {},
  }
}

function messageIdOf(parts: Parts, ref: string): string {
  return `<${ref}@${new URL(parts.config.portalUrl).hostname}>`
}
