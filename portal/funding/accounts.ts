/** Live accounts that can receive or pay money: only approved ones (requirements 8.18). */
import { type Account, getLiveAccounts } from '#contract/accounts.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { type Currency, money, type Money } from '#rules/money.ts'
import { useLiveFigures, withLive } from '../live-figures.ts'

/** Accounts may open or close while the page is open. Their figures come over the stream. */
const pollMs = 30_000

/** An approved account, which has a number. */
export type OpenAccount = Account & { number: string }

/**
 * `accounts` is undefined while they load. While the page is visible they share one reading at the platform with all
 * who look at them, so one component of a page calls this.
 */
export function useOpenAccounts() {
  const { data, error, dataUpdatedAt, refetch } = useEndpoint(getLiveAccounts, { a: 'all', b: 'approved' }, { pollMs })
  const read = data?.accounts.filter(isOpen)
  const live = useLiveFigures(read, { answeredAt: dataUpdatedAt })
  return { accounts: read?.map((account) => withLive(account, live)), error, refetch }
}

function isOpen(account: Account): account is OpenAccount {
  return account.number !== null && account.status === 'approved'
}

/** A closed account receives nothing (requirements 24.77), nor does one whose platform is not connected (24.68). */
export function canReceive({ closed, connected }: Account): boolean {
  return !closed && connected
}

export function hasMoney(account: Account): boolean {
  return (account.balance ?? 0n) > 0n
}

/** An account that its platform no longer has, or whose platform is not connected, cannot pay out the last balance. */
export function canPayOut(account: Account): boolean {
  return hasMoney(account) && !account.missing && account.connected
}

/** Returns the account with this number; undefined if there is none, or one on each platform. */
export function accountOfNumber<One extends { readonly number: string | null }>(
  accounts: readonly One[],
  number: string | null,
): One | undefined {
  const [named, ...others] = accounts.filter((account) => account.number === number)
  return others.length > 0 ? undefined : named
}

/** Returns one of an account's balances as money; null if the platform has given none. */
export function accountMoney(account: Account, minor: bigint | null): Money | null {
  return minor === null ? null : money(minor, account.baseCurrency)
}

/** Returns "5012 4471", with a non-breaking space. */
export function accountNumberText(number: string): string {
  return groupedByFour(number)
}

/** Returns the client's name for the account; without one its platform and type. */
export function accountName(account: Pick<Account, 'nickname' | 'platform' | 'type'>): string {
  return account.nickname === '' ? `${account.platform} ${account.type}` : account.nickname
}

/** Between facts on one line: the dot may end a line but not begin one. */
export const factSeparator = '\u00a0· '

/** Returns "Main account · 5012 4471". */
export function accountText(account: OpenAccount): string {
  return [accountName(account), accountNumberText(account.number)].join(factSeparator)
}

/** Returns "MT5 · Standard · EUR", without what the name says already. */
export function accountTypeText(
  account: Pick<Account, 'nickname' | 'platform' | 'type'> & { baseCurrency: Currency },
): string {
  if (account.nickname === '') return account.baseCurrency
  return [account.platform, account.type, account.baseCurrency].join(factSeparator)
}

/** Returns "Main account · 5012 4471 · MT5 · Standard · EUR". */
export function fullAccountText(account: OpenAccount): string {
  return [accountText(account), accountTypeText(account)].join(factSeparator)
}
