/** The tabs other than the overview: money, bank details, sign-ins, emails, events. */
import type * as tabs from '#contract/office/client-tabs.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { canSeeNumbers } from '#rules/permissions.ts'
import type { ClientId } from '#rules/ids.ts'
import { limitTo, row, rows, sql, type Connection } from '../../db/sql.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { isUuid, uuidOrNull } from '../../db/ids.ts'
import { renderLayout } from '../../mail/layout.ts'
import { renderMail } from '../../mail/template-registry.ts'
import { letterheadOf, type MailPayload } from '../../mail/mail-operation.ts'
import { methodNames } from '../../settings/method-names.ts'
import { answerText } from '../../office/answer-text.ts'
import { eventFor } from '../../office/masking.ts'
import { cursorAfter, paged, placeOf } from '../../office/page-cursor.ts'
import { officeEvent } from '../../office/timeline.ts'
import { commentText } from '../../i18n/format.ts'

export const pageSize = 50

/** Returns the id; throws `not-found` if no client has it. */
export async function requireExistingClient(connection: Connection, id: ClientId): Promise<ClientId> {
  const found = isUuid(id) && (await row(connection)`select from clients where id = ${id}`)
  if (!found) throw new Problem('not-found')
  return id
}

type Money = ResponseOf<typeof tabs.getClientMoney>

/** Returns deposits, withdrawals and transfers in one list, newest first. */
export const getClientMoney: Handler<typeof tabs.getClientMoney> = async (dependencies, context) => {
  const { params, query } = context
  const id = await requireExistingClient(dependencies.pool, params.id)
  const place = placeOf(query.cursor)
  const size = query.size ?? pageSize
  const found = await rows<Money['rows'][number]>(dependencies.pool)`select * from (
        select d.id, 'deposit' as kind, d.reference, d.state, d.requested_at as at, coalesce(a.login, '') as "accountNumber",
          null as "otherAccount", d.method, coalesce(d.received_minor, d.amount_minor) as amount, d.currency, d.comment
        from deposits d join trading_accounts a on a.id = d.account_id where d.client_id = ${id}
        union all select w.id, 'withdrawal', w.reference, w.state, w.requested_at, coalesce(a.login, ''), null, w.method,
          w.amount_minor, w.currency, w.comment
        from withdrawals w join trading_accounts a on a.id = w.account_id where w.client_id = ${id}
        union all select t.id, 'transfer', t.reference, t.state, t.requested_at, coalesce(a.login, ''), b.login, '',
          t.amount_minor, t.currency, t.comment
        from transfers t join trading_accounts a on a.id = t.source_account
          join trading_accounts b on b.id = t.destination_account where t.client_id = ${id}) moved
      where ${place === null} or (at, id) < (${place?.at ?? null}::timestamptz, ${place?.id ?? null}::uuid)
      order by at desc, id desc ${limitTo(size + 1)}`
  const sums = await rows<Money['sums'][number]>(dependencies.pool)`
    select currency, sum(deposit)::bigint as "pendingDeposits", sum(withdrawal)::bigint as "pendingWithdrawals"
      from (select currency, coalesce(received_minor, amount_minor)
              - case when state in ('uncredited', 'refunding') then refunded_minor else 0 end as deposit, 0 as withdrawal
            from deposits
          where client_id = ${id} and state in ('pending', 'in_review', 'processing', 'uncredited', 'refunding')
        union all select currency, 0, amount_minor from withdrawals
          where client_id = ${id} and state in ('pending', 'second_approval', 'processing')) moving
      group by currency order by currency`
  const methodName = await methodNames(dependencies, context.language)
  const read = found.map((one) => ({
    ...one,
    method: methodName(one.method),
    comment: commentText(one.comment, context.language),
  }))
  return { ...paged(read, size, cursorAfter), sums }
}

type BankRow = ResponseOf<typeof tabs.getClientBank>['rows'][number]

/** Returns bank details; an auditor sees the last four characters of a number. */
export const getClientBank: Handler<typeof tabs.getClientBank> = async (dependencies, context) => {
  const id = await requireExistingClient(dependencies.pool, context.params.id)
  const found = await rows<BankRow>(dependencies.pool)`
    select b.id, b.state, b.bank_name as "bankName", b.bank_country as "bankCountry", b.currency,
        coalesce(b.iban, b.sort_code || ' ' || b.account_number) as number, b.added_at as "addedAt",
        b.decided_at as "decidedAt",
        (select count(*)::int from withdrawals w where w.bank_id = b.id and w.state = 'paid') as "usedForPayouts"
      from bank_details b where b.client_id = ${id} order by b.added_at desc, b.id`
  if (canSeeNumbers(requireStaff(context).roles)) return { rows: found }
  return { rows: found.map((bank) => ({ ...bank, number: `•••• ${bank.number.slice(-4)}` })) }
}

/** Returns every event of a client, newest first. */
export const getClientEvents: Handler<typeof tabs.getClientEvents> = async (dependencies, context) => {
  const { params, query, language } = context
  const id = await requireExistingClient(dependencies.pool, params.id)
  const before = eventPlace(query.cursor)
  const size = query.size ?? pageSize
  const found = await rows<Parameters<typeof officeEvent>[0]>(dependencies.pool)`
    select e.id, e.at, e.kind, e.verb, e.from_state, e.to_state, e.actor, e.actor_id,
        coalesce(s.name, c.name || ' ' || c.surname) as actor_name, e.address, e.reference, e.reason, d.details
      from events e left join event_details d on d.event_id = e.id
        left join staff s on e.actor = 'staff' and s.id = e.actor_id
        left join clients c on e.actor = 'client' and c.id = e.actor_id
      where e.client_id = ${id} and (${before}::bigint is null or e.id < ${before}) order by e.id desc ${limitTo(size + 1)}`
  const page = paged(found, size, (one) => String(one.id))
  const { roles } = requireStaff(context)
  return { rows: page.rows.map((one) => officeEvent(eventFor(one, roles), language)), next: page.next }
}

/** Returns the number of the last event that was shown. */
export function eventPlace(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  if (!/^\d{1,18}$/.test(cursor)) throw new Problem('cursor-invalid', { field: 'cursor' })
  return cursor
}

interface MailRow {
  id: string
  payload: MailPayload
  state: string
  lastError: string | null
  at: Date
  sentAt: Date | null
}

const hiddenText = '••••••••'

const mailFields = sql`select id, payload, state, last_error as "lastError", created_at as at,
  case when state = 'done' then settled_at end as "sentAt"`

/** Returns emails to a client with their subjects as sent; one-time ids are masked. */
export const getClientMails: Handler<typeof tabs.getClientMails> = async (dependencies, { params, query }) => {
  const id = await requireExistingClient(dependencies.pool, params.id)
  const place = placeOf(query.cursor)
  const size = query.size ?? pageSize
  const found = await rows<MailRow>(dependencies.pool)`${mailFields} from operations
      where client_id = ${id} and kind = 'mail' and (${place?.id ?? null}::uuid is null or id < ${place?.id ?? null}::uuid)
      order by id desc ${limitTo(size + 1)}`
  const page = paged(found, size, cursorAfter)
  const letterhead = await letterheadOf(dependencies, () => hiddenText)
  return {
    rows: page.rows.map(({ id: mail, payload, state, at, sentAt }) => ({
      id: mail,
      kind: payload.kind,
      to: payload.to,
      subject: renderMail(payload.kind, payload.facts, payload.language, letterhead).subject,
      state,
      at,
      sentAt,
    })),
    next: page.next,
  }
}

/** Returns the text of one email. */
export const getClientMail: Handler<typeof tabs.getClientMail> = async (dependencies, context) => {
  const { id, mailId } = context.params
  await requireExistingClient(dependencies.pool, id)
  const found = requireFound(
    await row<MailRow>(dependencies.pool)`${mailFields} from operations
          where id = ${uuidOrNull(mailId)}::uuid and client_id = ${id} and kind = 'mail'`,
  )
  const { kind, to, language, facts } = found.payload
  const letterhead = await letterheadOf(dependencies, () => hiddenText)
  const drawn = renderMail(kind, facts, language, letterhead)
  const { text } = renderLayout(drawn, drawn.language, letterhead)
  const { state, lastError, at, sentAt } = found
  return {
    mail: {
      id: found.id,
      kind,
      to,
      subject: drawn.subject,
      text,
      state,
      lastError: answerText(lastError, context.language),
      at,
      sentAt,
    },
  }
}
