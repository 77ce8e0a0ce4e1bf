/** The client money requirement against the client money resource, by currency (requirements 21.11). */
import { stringify } from 'csv-stringify/sync'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getClientMoneyView } from '#contract/office/accounting.ts'
import { clientMoneyPlaces, clientMoneyStatuses } from '#contract/office/client-money-labels.ts'
import type { Language } from '#rules/choices.ts'
import { clientMoneyStatus, surplusOf, unexplainedOf } from '#rules/client-money.ts'
import { currencies, decimalOf, type Currency } from '#rules/money.ts'
import { row, rows } from '../../db/sql.ts'
import { BinaryResponse, type RequestContext } from '../../http/handler.ts'
import type { LedgerAccountKind } from '../../ledger/post.ts'
import { firmBankAccount } from '../../settings/firm-bank-account.ts'
import type { Dependencies } from '../../dependencies.ts'
import { lastClosings, type LastClosing } from './queries.ts'
import { safeCell } from '../../i18n/format.ts'
import { translate } from '../../i18n/translate.ts'

type View = ResponseOf<typeof getClientMoneyView>
type Column = View['currencies'][number]
type Place = Column['places'][number]

interface Sum {
  readonly kind: LedgerAccountKind
  readonly currency: Currency
  readonly name: string
  readonly balance: bigint
  readonly count: number
}

const owedCodes = {
  arrived_unmatched: 'arrived-unmatched',
  payout_in_transit: 'payout-in-transit',
  transfer_in_transit: 'transfer-in-transit',
} as const
const heldCodes = { bank: 'bank', provider: 'provider' } as const
/** Codes that explain the difference between the two totals: the firm's share. They are not part of either total. */
const ownCodes = {
  fees: 'fees',
  exchange: 'exchange',
  trading_result: 'trading-result',
  corrections: 'corrections',
  firm_money: 'firm-money',
} as const

/** Returns sums from a single query, so that both columns are from the same moment. Excludes demo accounts. */
export async function showClientMoney(dependencies: Dependencies, now: Date): Promise<View> {
  const sums = await rows<Sum>(dependencies.pool)`
    select l.kind, l.currency, case when l.kind in ('bank', 'provider') then l.name else '' end as name,
        sum(l.balance_minor)::bigint as balance, count(*) filter (where l.balance_minor <> 0)::int as count
      from ledger_accounts l left join trading_accounts a on a.id = l.trading_account
      where a.id is null or a.request_type = 'live' group by 1, 2, 3`
  const reserved = await rows<{ currency: Currency; minor: bigint; count: number }>(dependencies.pool)`
    select a.currency, sum(r.amount_minor)::bigint as minor, count(*)::int as count from reservations r
      join trading_accounts a on a.id = r.account_id where r.released_at is null group by a.currency`
  const open = await rows<{ currency: Currency; count: number }>(dependencies.pool)`
    select coalesce(d.currency, a.currency) as currency, count(*)::int as count
      from differences d left join trading_accounts a on a.id = d.account_id
      where d.state in ('open', 'proposed', 'processing') and coalesce(d.currency, a.currency) is not null group by 1`
  const closings = await lastClosings(dependencies.pool)
  const bankAccounts = await Promise.all(currencies.map((currency) => firmBankAccount(dependencies, currency)))
  const statements = await row<{ day: string | null }>(dependencies.pool)`select max(booked_on) as day from bank_lines`
  return {
    at: now,
    statementsTo: statements?.day ?? null,
    currencies: currencies.map((currency, place) =>
      columnsOf(
        currency,
        bankAccounts[place] ?? '',
        sums.filter((sum) => sum.currency === currency),
        reserved.find((one) => one.currency === currency),
        open.find((one) => one.currency === currency)?.count ?? 0,
        closings.filter((closing) => closing.currency === currency),
      ),
    ),
  }
}

function columnsOf(
  currency: Currency,
  bankAccount: string,
  sums: readonly Sum[],
  reserved: { minor: bigint; count: number } | undefined,
  openDifferences: number,
  statements: readonly LastClosing[],
): Column {
  const of = (kind: string) => sums.filter((sum) => sum.kind === kind)
  const total = (kind: string) => of(kind).reduce((all, sum) => all + sum.balance, 0n)
  const setAside = reserved?.minor ?? 0n
  const accounts = of('client').reduce((all, sum) => all + sum.count, 0)
  const places: Place[] = [
    { code: 'trading-accounts', name: '', count: accounts, owed: -total('client') - setAside, held: null },
    { code: 'set-aside', name: '', count: reserved?.count ?? 0, owed: setAside, held: null },
    ...Object.entries(owedCodes).map(([kind, code]): Place => ({
      code,
      name: '',
      count: null,
      owed: -total(kind),
      held: null,
    })),
    ...Object.entries(heldCodes).flatMap(([kind, code]) =>
      resourcesByPlace(of(kind), kind === 'bank' ? bankAccount : '').map((place): Place => ({
        code,
        count: null,
        owed: null,
        ...place,
      })),
    ),
  ]
  const owed = places.reduce((sum, place) => sum + (place.owed ?? 0n), 0n)
  const held = places.reduce((sum, place) => sum + (place.held ?? 0n), 0n)
  const own = Object.entries(ownCodes).map(([kind, code]) => ({ code, amount: -total(kind) }))
  const compared = { owed, held, own: own.reduce((sum, { amount }) => sum + amount, 0n), openDifferences }
  return {
    currency,
    places,
    owed,
    held,
    difference: surplusOf(compared),
    own,
    unexplained: unexplainedOf(compared),
    openDifferences,
    statements: statements.map(({ account, on, closing, booked, readAt }) => ({
      account,
      on,
      closing,
      booked,
      readAt,
    })),
    standing: clientMoneyStatus(compared),
  }
}

/**
 * Amounts posted without an account name belong to the firm's only account in the currency, if there is exactly one.
 * Both places are always listed, even with zero; while nothing is posted, the bank is the account of the settings.
 */
function resourcesByPlace(sums: readonly Sum[], accountOfSettings: string): { name: string; held: bigint }[] {
  const named = sums.filter(({ name }) => name !== '')
  const nameless = sums.filter(({ name }) => name === '').reduce((all, { balance }) => all + balance, 0n)
  const [only] = named
  if (named.length === 1 && only) return [{ name: only.name, held: only.balance + nameless }]
  if (named.length === 0 && nameless === 0n) return [{ name: accountOfSettings, held: 0n }]
  const rest = nameless === 0n ? [] : [{ name: '', held: nameless }]
  return [...named.map(({ name, balance }) => ({ name, held: balance })), ...rest]
}

/** Returns the label of a row of the file. */
function placeLabel(code: keyof typeof clientMoneyPlaces, name: string, language: Language): string {
  const place = code === 'bank' && name === '' ? 'bank-unknown' : code
  return translate(clientMoneyPlaces[place], language, { ending: name.slice(-4) })
}

export async function clientMoneyFile(
  dependencies: Dependencies,
  { now, language }: Pick<RequestContext, 'now' | 'language'>,
): Promise<BinaryResponse> {
  const view = await showClientMoney(dependencies, now)
  const figure = (minor: bigint | null) => (minor === null ? '' : decimalOf(minor))
  const lines = view.currencies.flatMap(({ currency, places, own, owed, held, difference, unexplained, standing }) => [
    ...places.map(({ code, name, owed: out, held: there }) => [
      currency,
      code,
      placeLabel(code, name, language),
      safeCell(name),
      figure(out),
      figure(there),
    ]),
    ...own.map(({ code, amount }) => [currency, code, placeLabel(code, '', language), '', '', '', decimalOf(amount)]),
    [
      currency,
      'total',
      placeLabel('total', '', language),
      '',
      ...[owed, held, difference - unexplained, difference, unexplained].map((minor) => decimalOf(minor)),
      standing,
      translate(clientMoneyStatuses[standing], language),
    ],
  ])
  const sums = ['owed', 'held', 'own', 'difference', 'unexplained']
  const columns = ['currency', 'place', 'place_text', 'name', ...sums, 'standing', 'standing_text']
  const width = columns.length
  const csv = stringify(
    lines.map((line) => [...line, ...Array<string>(width - line.length).fill('')]),
    { header: true, columns, bom: true },
  )
  return new BinaryResponse(csv, `client-money-${now.toISOString().slice(0, 16).replace(/[:T]/g, '-')}.csv`)
}
