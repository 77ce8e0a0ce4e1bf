/** How a deposit comes to the state that its credit at the platform proves (mechanics section 13). */
import { announcedUntil, depositLife } from '#rules/deposits.ts'
import { decimalOf } from '#rules/money.ts'
import { advance } from '../../db/advance.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { post } from '../../ledger/post.ts'
import type { RequestAdoption } from '../../recovery/adoption.ts'
import { merchantReference } from '../../references.ts'
import { readSetting } from '../../settings.ts'
import { unmatched } from './credit-deposit.ts'
import { depositById, lockDeposit } from './queries.ts'

const kind = depositLife.name

export const depositAdoption: RequestAdoption = {
  find: (tx, shown) =>
    row(tx, sql`select id, client_id as "clientId" from deposits where reference = ${shown} for update`),

  /** A wire is credited with what arrived, whatever was announced; a card payment with its own amount less the fee. */
  async fits(tx, id, { platform, login, amount }) {
    const deposit = await depositById(tx, id)
    if (!deposit || deposit.platform !== platform || deposit.login !== login) return false
    if (deposit.currency !== amount.currency || amount.minor <= 0n) return false
    return deposit.type === 'wire' || amount.minor === deposit.amountMinor - deposit.feeMinor
  },

  async bringTo(tx, id, { amount }, act) {
    const deposit = await lockDeposit(tx, id)
    if (!deposit) throw new Error(`no deposit ${id}`)
    if (deposit.state === 'processing') return
    const received = amount.minor + deposit.feeMinor
    const set = { received_minor: received, rejected_at: null, comment: '' }
    await advance(tx, depositLife, act, { id, verb: 'adopt', clientId: deposit.clientId, set, work: null })
    if (deposit.type === 'wire') return
    const { currency, provider } = deposit
    await post(tx, {
      ref: `checkout:${id}`,
      kind: 'card-arrival',
      subject: kind,
      record: id,
      at: act.now,
      postings: [
        { account: { kind: 'provider', currency, name: provider ?? '' }, minor: received },
        { account: unmatched(deposit), minor: -received },
      ],
    })
  },

  async writeAnew(tx, { deal, account, proposal: { depositType }, keys }, act) {
    if (depositType === undefined) throw new Problem('required', { field: 'depositType' })
    if (deal.amount.minor <= 0n) throw new Problem('amount-invalid')
    const { deposit: methods } = (await readSetting(tx, 'methods', act.now)).value
    const method = methods.find(({ type }) => type === depositType)
    const provider = depositType === 'wire' ? null : (method?.paymentGateway ?? 'card')
    const providerRef =
      depositType === 'wire' ? null : merchantReference({ key: keys.reference.bytes, shown: deal.shown })
    const written = await row<{ id: string }>(
      tx,
      sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, language,
              card_type, provider, provider_ref, requested_at, expires_at)
            select ${account.clientId}, ${account.id}, ${depositType}, ${method?.method.en ?? 'Bank Transfer'},
              ${method?.paymentGateway ?? 'bank'}, ${deal.amount.minor}, ${deal.amount.currency}, ${deal.shown}, c.language,
              ${depositType === 'wire' ? null : 0}::integer, ${provider}, ${providerRef}, ${deal.at}::timestamptz, ${announcedUntil(deal.at)}::timestamptz
            from clients c where c.id = ${account.clientId} returning id`,
    )
    if (!written) throw new Error('a deposit was not written')
    const { id } = written
    const details = {
      amount: decimalOf(deal.amount.minor),
      currency: deal.amount.currency,
      account: deal.login,
      reference: deal.shown,
    }
    await record(tx, act, {
      kind,
      verb: 'recover',
      record: id,
      clientId: account.clientId,
      to: depositLife.first,
      details,
    })
    return id
  },
}
