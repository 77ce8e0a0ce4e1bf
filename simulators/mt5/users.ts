/** The calls about users: accounts, their passwords, rights and balances. */
import { passwordDigest, sumsOf, type Account, type Store } from '../platform/store.ts'
import { groupNamed, groupsMatching } from './groups.ts'
import type { ManagerRights } from './manager-rights.ts'
import type { Parameters } from './parameters.ts'
import { tradeStateRecord, userRecord } from './records.ts'
import { Forbidden, Refused } from './refused.ts'

/** The source of a call's response. */
export interface CallSource {
  readonly parameters: Parameters
  readonly book: Store
  readonly rights: ManagerRights
  /** The length of an additional field of each deal in a list. */
  readonly padding: number
}

/** Fields that are stored and returned unchanged, by their name in the protocol, with their maximum length. */
const plainFields = {
  FirstName: 127,
  LastName: 127,
  MiddleName: 127,
  Company: 63,
  Language: 10,
  City: 63,
  State: 63,
  ZIPCode: 15,
  Address: 127,
  Phone: 31,
  Status: 15,
  LeadSource: 63,
  LeadCampaign: 63,
} as const
const lengths = { name: 127, email: 63, country: 63, comment: 63, id: 31 }
const defaultRights = 483
const passwordKinds = ['main', 'investor', 'api']

export function addUser({ parameters, book, rights }: CallSource): unknown {
  // Real servers return a bare 403 here, not the retcode, for a manager without the permission.
  if (!rights.has('modify')) throw new Forbidden()
  const name = parameters.get('name') ?? ''
  const leverage = leverageOf(parameters)
  if (name === '' || leverage === null || !parameters.has('group')) throw new Refused(3)
  const group = groupNamed(parameters.get('group') ?? '')
  if (group === undefined) throw new Refused(8)
  const login = parameters.get('login') ?? '0'
  if (login !== '0' && book.account(login) !== undefined) throw new Refused(3004)
  const main = requireStrongPassword(parameters.get('passmain') ?? parameters.get('pass_main'), group.passwordMin)
  const investor = requireStrongPassword(
    parameters.get('passinvestor') ?? parameters.get('pass_investor'),
    group.passwordMin,
  )
  const opened = book.openAccount({
    group: group.name,
    name: truncate(name, 'name'),
    email: truncate(parameters.get('email') ?? '', 'email'),
    country: truncate(parameters.get('country') ?? '', 'country'),
    leverage,
    rights: Number(parameters.get('rights') ?? defaultRights),
    comment: truncate(parameters.get('comment') ?? '', 'comment'),
    id: truncate(parameters.get('id') ?? '', 'id'),
    details: detailsOf(parameters, {}),
    passwords: { main: passwordDigest(main), investor: passwordDigest(investor) },
  })
  return userRecord(opened, rights)
}

/** Silently ignores fields with a wrong value; only a group of another currency is an error. */
export function updateUser({ parameters, book, rights: managerRights }: CallSource): unknown {
  if (!managerRights.has('modify')) throw new Refused(8)
  const account = accountOf(parameters, book)
  const group = groupNamed(parameters.get('group') ?? account.group)
  const before = groupNamed(account.group)
  if (group !== undefined && before !== undefined && group.currency !== before.currency) throw new Refused(3010)
  const rights = Number(parameters.get('rights') ?? account.rights)
  const changed: Account = {
    ...account,
    group: group?.name ?? account.group,
    leverage: leverageOf(parameters) ?? account.leverage,
    rights: Number.isInteger(rights) && rights >= 0 ? rights : account.rights,
    name: truncate(parameters.get('name') ?? account.name, 'name'),
    email: truncate(parameters.get('email') ?? account.email, 'email'),
    country: truncate(parameters.get('country') ?? account.country, 'country'),
    comment: truncate(parameters.get('comment') ?? account.comment, 'comment'),
    id: truncate(parameters.get('id') ?? account.id, 'id'),
    details: detailsOf(parameters, account.details ?? {}),
  }
  book.change(changed)
  return userRecord(changed, managerRights)
}

export function deleteUser({ parameters, book }: CallSource): unknown {
  const account = accountOf(parameters, book)
  if (book.positions(account.login).length > 0) throw new Refused(3008)
  book.state.commit({ accounts: { [account.login]: null } })
  return undefined
}

export function changePassword({ parameters, book }: CallSource): unknown {
  const account = accountOf(parameters, book)
  const kind = parameters.get('type') ?? ''
  if (!passwordKinds.includes(kind)) throw new Refused(3)
  const digest = passwordDigest(
    requireStrongPassword(parameters.get('password'), groupNamed(account.group)?.passwordMin ?? 8),
  )
  book.change({ ...account, passwords: { ...account.passwords, [kind]: digest } })
  return undefined
}

export function checkPassword({ parameters, book }: CallSource): unknown {
  const account = accountOf(parameters, book)
  const kind = parameters.get('type') ?? 'main'
  if (account.passwords[kind] !== passwordDigest(parameters.get('password') ?? '')) throw new Refused(3006)
  return undefined
}

/** Exists only for an account with positions or with activity since the server's start. */
export function tradeState({ parameters, book }: CallSource): unknown {
  const account = accountOf(parameters, book)
  if (!hasTradeState(account, book)) throw new Refused(13)
  return tradeStateRecord(account, book.figures(account))
}

export function tradeStates({ parameters, book }: CallSource): unknown {
  return usersOf(parameters, book)
    .filter((account) => hasTradeState(account, book))
    .map((account) => tradeStateRecord(account, book.figures(account)))
}

export function user({ parameters, book, rights }: CallSource): unknown {
  return userRecord(accountOf(parameters, book), rights)
}

export function users({ parameters, book, rights }: CallSource): unknown {
  return usersOf(parameters, book).map((account) => userRecord(account, rights))
}

function hasTradeState(account: Account, book: Store): boolean {
  return book.figures(account).positions > 0 || book.active.has(account.login)
}

export function checkBalance({ parameters, book }: CallSource): unknown {
  const account = accountOf(parameters, book)
  const sums = sumsOf(book.deals(account.login))
  return {
    Balance: { User: sixPlaces(account.balance), History: sixPlaces(sums.balance) },
    Credit: { User: sixPlaces(account.credit), History: sixPlaces(sums.credit) },
  }
}

function sixPlaces(hundredths: number): string {
  return (hundredths / 100).toFixed(6)
}

export function accountOf(parameters: Parameters, book: Store): Account {
  const account = book.account(parameters.get('login') ?? '')
  if (account === undefined) throw new Refused(13)
  return account
}

/** Returns the accounts of a list of logins or of groups; exactly one list is allowed. */
export function usersOf(parameters: Parameters, book: Store): Account[] {
  const [logins, group] = [parameters.get('login'), parameters.get('group')]
  if ((logins === undefined) === (group === undefined)) throw new Refused(3)
  if (logins !== undefined) return logins.split(',').flatMap((login) => book.account(login) ?? [])
  const wanted = new Set(groupsMatching(group ?? '').map(({ name }) => name))
  return book.accounts().filter((account) => wanted.has(account.group))
}

function leverageOf(parameters: Parameters): number | null {
  const leverage = Number(parameters.get('leverage'))
  return Number.isInteger(leverage) && leverage >= 1 && leverage <= 500 ? leverage : null
}

/** Silently cuts a text that is too long. */
function truncate(text: string, field: keyof typeof lengths): string {
  return text.slice(0, lengths[field])
}

function detailsOf(parameters: Parameters, before: Readonly<Record<string, string>>): Record<string, string> {
  const details: Record<string, string> = { ...before }
  for (const [name, lengthMax] of Object.entries(plainFields)) {
    const given = parameters.get(name.toLowerCase())
    if (given !== undefined) details[name] = given.slice(0, lengthMax)
  }
  return details
}

/**
 * Returns the password if it has the group's minimum length, 16 characters at most, with lower, upper, digit and special
 * characters; throws 3006 otherwise.
 */
function requireStrongPassword(password: string | undefined, lengthMin: number): string {
  const text = password ?? ''
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/]
  if (text.length < lengthMin || text.length > 16 || !classes.every((kind) => kind.test(text))) throw new Refused(3006)
  return text
}
