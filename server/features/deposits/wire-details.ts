/** The wire details of an announced deposit again: on screen, by mail, on paper. */
import type {
  getWireDetails as detailsEndpoint,
  mailWireDetails as mailEndpoint,
  wireDetailsPdf as pdfEndpoint,
} from '#contract/deposits.ts'
import { depositLife } from '#rules/deposits.ts'
import { record } from '../../db/events.ts'
import { transaction } from '../../db/transaction.ts'
import { Bytes } from '../../http/binary-response.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { drawPaper } from '../../pdf/render-pdf.ts'
import type { Parts } from '../../dependencies.ts'
import { dayText } from '../../i18n/format.ts'
import type { draw, WirePaper } from './render-wire-details.ts'
import { ownDeposit, type Deposit, type WireAccount } from './queries.ts'

const wireDrawer = new URL('./render-wire-details.ts', import.meta.url)

type Wire = Deposit & { readonly wireAccount: WireAccount }

async function ownWire(parts: Parts, call: Pick<Call, 'caller'>, id: string): Promise<Wire> {
  const deposit = await ownDeposit(parts.pool, clientOf(call).clientId, id)
  if (!deposit?.wireAccount) throw new Problem('not-found')
  return { ...deposit, wireAccount: deposit.wireAccount }
}

function detailsOf({ wireAccount, reference }: Wire) {
  return { ...wireAccount, BankReference: reference }
}

export function getWireDetails(parts: Parts): Verb<typeof detailsEndpoint> {
  return async (call) => {
    const wire = await ownWire(parts, call, call.params.id)
    // Nobody is told any more where to send the money.
    if (wire.state !== 'pending') throw new Problem('wrong-state', { values: { state: wire.state } })
    return {
      bankDetails: detailsOf(wire),
      amount: wire.amountMinor,
      currency: wire.currency,
      expiresAt: wire.expiresAt,
    }
  }
}

export function mailWireDetails(parts: Parts): Verb<typeof mailEndpoint> {
  return async (call) => {
    const { clientId, email: to, language } = clientOf(call)
    const wire = await ownWire(parts, call, call.body.id)
    if (wire.state !== 'pending') throw new Problem('wrong-state', { values: { state: wire.state } })
    const { mailsPerHour } = await parts.settings.get('rateLimits')
    await limit(parts.pool, { name: 'wire-details', who: clientId, windowSeconds: 3600 }, mailsPerHour, call.now)
    await transaction(parts.pool, async (tx) => {
      const facts = {
        ...detailsOf(wire),
        minor: String(wire.amountMinor),
        currency: wire.currency,
        account: wire.login,
        record: wire.id,
        until: Math.floor(wire.expiresAt.getTime() / 1000),
      }
      await sendMail(
        tx,
        { kind: 'wire-details', to, language, facts, clientId, subject: depositLife.name, record: wire.id },
        call.now,
      )
      await record(tx, call.act, { kind: depositLife.name, verb: 'mail-details', record: wire.id, clientId })
    })
    return {}
  }
}

export function wireDetailsPdf(parts: Parts): Verb<typeof pdfEndpoint> {
  return async (call) => {
    const wire = await ownWire(parts, call, call.params.id)
    if (wire.state !== 'pending') throw new Problem('wrong-state', { values: { state: wire.state } })
    const { legalName, timeZone } = await parts.settings.get('firm')
    const until = dayText(wire.expiresAt, call.language, timeZone)
    const { amountMinor, currency, login } = wire
    const facts: WirePaper = { firm: legalName, details: detailsOf(wire), amountMinor, currency, login, until }
    const paper = await drawPaper<typeof draw>(wireDrawer, facts, call.language)
    return new Bytes(paper, `wire-details-${wire.reference}.pdf`)
  }
}
