/** Shows the bank details of a requested wire again: on screen, by email and as a PDF. */
import type * as contract from '#contract/deposits.ts'
import { depositMachine } from '#rules/deposits.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction } from '../../db/sql.ts'
import { BinaryResponse, requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { renderPdf } from '../../pdf/render-pdf.ts'
import type { Dependencies } from '../../dependencies.ts'
import { dayText } from '../../i18n/format.ts'
import type { render, WireDocument } from './render-wire-details.ts'
import { ownDeposit, type Deposit, type WireAccount } from './queries.ts'

const wireRenderer = new URL('./render-wire-details.ts', import.meta.url)

type Wire = Deposit & { readonly wireAccount: WireAccount }

async function ownWire(dependencies: Dependencies, context: Pick<RequestContext, 'caller'>, id: string): Promise<Wire> {
  const deposit = await ownDeposit(dependencies.pool, requireClient(context).clientId, id)
  if (!deposit?.wireAccount) throw new Problem('not-found')
  return { ...deposit, wireAccount: deposit.wireAccount }
}

function detailsOf({ wireAccount, reference }: Wire) {
  return { ...wireAccount, BankReference: reference }
}

export const getWireDetails: Handler<typeof contract.getWireDetails> = async (dependencies, context) => {
  const wire = await ownWire(dependencies, context, context.params.id)
  // The client must not be shown where to send money for a deposit that has ended.
  if (wire.state !== 'pending') throw new Problem('wrong-state', { values: { state: wire.state } })
  return {
    bankDetails: detailsOf(wire),
    amount: wire.amountMinor,
    currency: wire.currency,
    expiresAt: wire.expiresAt,
  }
}

export const mailWireDetails: Handler<typeof contract.mailWireDetails> = async (dependencies, context) => {
  const { clientId, email: to, language } = requireClient(context)
  const wire = await ownWire(dependencies, context, context.body.id)
  if (wire.state !== 'pending') throw new Problem('wrong-state', { values: { state: wire.state } })
  const { mailsPerHour } = await dependencies.settings.get('rateLimits')
  await enforceLimit(dependencies.pool, perHour('wire-details', clientId), mailsPerHour, context.now)
  await transaction(dependencies.pool, async (tx) => {
    const facts = {
      ...detailsOf(wire),
      minor: String(wire.amountMinor),
      currency: wire.currency,
      account: wire.login,
      record: wire.id,
      until: Math.floor(wire.expiresAt.getTime() / 1000),
    }
    await sendMail(tx, context.now, {
      kind: 'wire-details',
      to,
      language,
      facts,
      clientId,
      subject: depositMachine.name,
      record: wire.id,
    })
    await recordEvent(tx, context.auditContext, {
      kind: depositMachine.name,
      action: 'mail-details',
      record: wire.id,
      clientId,
    })
  })
  return {}
}

export const wireDetailsPdf: Handler<typeof contract.wireDetailsPdf> = async (dependencies, context) => {
  const wire = await ownWire(dependencies, context, context.params.id)
  if (wire.state !== 'pending') throw new Problem('wrong-state', { values: { state: wire.state } })
  const { legalName, timeZone } = await dependencies.settings.get('firm')
  const until = dayText(wire.expiresAt, context.language, timeZone)
  const { amountMinor, currency, login } = wire
  const facts: WireDocument = {
    firm: legalName,
    details: detailsOf(wire),
    amountMinor,
    currency,
    login,
    until,
    language: context.language,
  }
  const pdf = await renderPdf<typeof render>(wireRenderer, facts)
  return new BinaryResponse(pdf, `wire-details-${wire.reference}.pdf`)
}
