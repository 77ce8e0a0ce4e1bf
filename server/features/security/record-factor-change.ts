import { recordClientEvent } from '../../db/events.ts'
import type { Transaction } from '../../db/sql.ts'
import { requireClient, type RequestContext } from '../../http/handler.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail, unixSeconds } from '../../mail/send-mail.ts'
import type { FactorState } from './queries.ts'

/** Ends the other sessions of a client who turned the second factor on or off, records it and emails the client. */
export async function recordFactorChange(
  tx: Transaction,
  context: Pick<RequestContext, 'caller' | 'auditContext' | 'now' | 'device' | 'address'>,
  { action, kind }: { readonly action: string; readonly kind: 'second-factor-on' | 'second-factor-off' },
  { email: to, language }: FactorState,
): Promise<void> {
  const { auditContext, now, device, address } = context
  const { clientId, sessionId } = requireClient(context)
  await endSessionsOf(tx, { clientId }, now, sessionId)
  await recordClientEvent(tx, auditContext, clientId, { action })
  await sendMail(tx, now, { kind, to, language, facts: { at: unixSeconds(now), device, address }, clientId })
}
