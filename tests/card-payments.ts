/** A server with card payments that the provider took, and what clients and staff see of them. */
import { checkCreditCardPayment, requestCreditCardPayment } from '#contract/deposits.ts'
import { getTransferTimeline } from '#contract/history.ts'
import { explainDifference, listDifferences } from '#contract/office/accounting.ts'
import { getOfficeDeposit, type creditDeposit, type refundDeposit } from '#contract/office/deposits.ts'
import { requireRow, row, rows, sql } from '#server/db/sql.ts'
import { sendWebhook } from './card-provider.ts'
import { call, makeClient } from './factories.ts'
import { cardsForFile, staffForFile } from './for-file.ts'
import { cardBody, makeFundedAccount, settleOperations } from './funded-account.ts'
import { mailsTo } from './mails.ts'

/** Returns the server of a file with its card payments. */
export function cardPaymentsForFile() {
  const place = cardsForFile()
  const { server, cards } = place
  const finance = staffForFile(server, ['finance'])

  async function openCheckout(): Promise<CardPayment> {
    const client = await makeClient(server, { country: 'DE' })
    const account = await makeFundedAccount(server, client, 0n)
    const body = cardBody(account, '100.00')
    const { id, REF } = (await call(server, requestCreditCardPayment, { as: client, body })).answer
    const { providerId } = await requireRow<{ providerId: string }>(server.dependencies.pool)`
    select provider_id as "providerId" from deposits where id = ${id}`
    return { id, REF, client, account, providerId }
  }

  const act = ({ providerId }: CardPayment, action: string, more: object = {}) =>
    cards.turn('act', { id: providerId, action, ...more })
  const notify = ({ providerId }: CardPayment) => sendWebhook(server, providerId)
  const check = ({ client, REF }: CardPayment, language = 'en') =>
    call(server, checkCreditCardPayment, {
      as: client,
      body: { REF },
      headers: { 'accept-language': language },
    })
  const after = (minutes: number) => new Date(server.clock.now().getTime() + minutes * 60_000)

  /** Returns a payment that was taken and whose credit the platform has refused. */
  async function makeUncredited(): Promise<CardPayment> {
    const payment = await openCheckout()
    await act(payment, 'pay')
    await place.platform.turn('refuse', { retcode: 13, login: payment.account.login })
    await notify(payment)
    await settleOperations(server)
    await place.platform.turn('reset')
    return payment
  }

  /** Returns a payment of another amount than the deposit. */
  async function makeDiffering(): Promise<CardPayment> {
    const payment = await openCheckout()
    await act(payment, 'pay')
    await cards.turn('lie', { id: payment.providerId, amount: 9_000, count: 0 })
    await notify(payment)
    return payment
  }

  async function pageOf({ id }: CardPayment, as = finance) {
    return (await call(server, getOfficeDeposit, { as, params: { id } })).answer.deposit
  }

  /** Returns the code of why the page refuses each action, or null. */
  async function refusalsOnPage(payment: CardPayment) {
    return Object.fromEntries((await pageOf(payment)).verbs.map(({ verb, refusal }) => [verb, refusal?.code ?? null]))
  }

  async function possibleActions(payment: CardPayment) {
    return (await pageOf(payment)).verbs.filter(({ refusal }) => refusal === null).map(({ verb }) => verb)
  }

  async function decide(payment: CardPayment, endpoint: typeof creditDeposit | typeof refundDeposit, as = finance) {
    const { version } = await pageOf(payment)
    return call(server, endpoint, { as, params: { id: payment.id }, body: { version } })
  }

  /** Returns the postings of a deposit by ledger account. */
  async function postedOf({ id }: CardPayment): Promise<Record<string, bigint>> {
    const found = await rows<{ kind: string; minor: bigint }>(
      server.dependencies.pool,
      sql`select l.kind, sum(p.minor)::bigint as minor from entries e join postings p on p.entry_id = e.id
        join ledger_accounts l on l.id = p.ledger_account where e.record = ${id} group by l.kind having sum(p.minor) <> 0`,
    )
    return Object.fromEntries(found.map(({ kind, minor }) => [kind, minor]))
  }

  async function itemOf({ id }: CardPayment) {
    return row<{ state: string; dueAt: Date }>(
      server.dependencies.pool,
      sql`select state, due_at as "dueAt" from work_items where record = ${id} and closed_at is null`,
    )
  }

  async function timelineOf({ id, client }: CardPayment) {
    const { deposit, timeline } = (
      await call(server, getTransferTimeline, { as: client, params: { list: 'deposits', id } })
    ).answer
    return {
      status: deposit?.status,
      comment: deposit?.comment,
      refunded: deposit?.depositRefunded,
      verbs: timeline.map(({ verb }) => verb),
      texts: timeline.map(({ text }) => text),
    }
  }

  async function mailKindsOf({ client }: CardPayment) {
    return (await mailsTo(server, client.email)).map(({ kind }) => kind)
  }

  async function differencesOf({ id }: CardPayment) {
    const { rows: all } = (await call(server, listDifferences, { as: finance, query: {} })).answer
    return all.filter(({ record }) => record === id).map(({ kind, state, ours, theirs }) => [kind, state, ours, theirs])
  }

  /** Explains the open discrepancy of a payment. */
  async function explain({ id: record }: CardPayment): Promise<void> {
    const { rows: all } = (await call(server, listDifferences, { as: finance, query: {} })).answer
    const open = all.find((one) => one.record === record && one.state === 'open')
    if (!open) throw new Error('no open discrepancy')
    const body = { version: open.version, reason: 'Settled with the client.' }
    const explained = await call(server, explainDifference, { as: finance, params: { id: open.id }, body })
    if (explained.status !== 200) throw new Error(`not explained: ${explained.failure.code}`)
  }

  return {
    place,
    server,
    cards,
    finance,
    openCheckout,
    act,
    notify,
    check,
    after,
    makeUncredited,
    makeDiffering,
    pageOf,
    possibleActions,
    refusalsOnPage,
    decide,
    postedOf,
    itemOf,
    timelineOf,
    mailKindsOf,
    differencesOf,
    explain,
  }
}

/** A checkout of a client that was opened at the provider. */
export interface CardPayment {
  readonly id: string
  readonly REF: string
  readonly client: Awaited<ReturnType<typeof makeClient>>
  readonly account: Awaited<ReturnType<typeof makeFundedAccount>>
  readonly providerId: string
}
