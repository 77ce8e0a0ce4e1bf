/**
 * Checks of both MetaTrader platforms through their adapters: the groups of the settings, and with consent small
 * changes that are undone. Every change has a comment that is not one of our references (ADR 206).
 */
import { randomBytes } from 'node:crypto'
import { money, type Currency } from '#rules/money.ts'
import { tradingPasswordLength } from '#rules/constants.ts'
import { conformanceComment, ConformanceError, CheckNotRun, withCause, type ConformanceCheck } from '../conformance.ts'
import { isIntegrationError, Rejected, Unknown } from '../errors.ts'
import type { AccountSearch, TradingServer } from './trading-server.ts'

export interface SettingsGroup {
  readonly group: string
  readonly currency: Currency
}

/** Returns the check of the settings' groups. `groups` is null without a database to read them from. */
export function settingsGroupsCheck(
  platform: TradingServer,
  groups: readonly SettingsGroup[] | null,
): ConformanceCheck {
  return {
    name: 'groups of our settings',
    async run() {
      if (groups === null) throw new CheckNotRun('no database was found to read them from')
      if (groups.length === 0) throw new CheckNotRun('the settings name none for this platform')
      const { found, isComplete } = await platform.findGroups(groups.map(({ group }) => group))
      const wrong = groups.flatMap(({ group, currency }) => {
        const there = found.get(group)
        if (!there && !isComplete) return [`the name of a group cannot be read, and it may be ${group}`]
        if (!there) return [`${group} does not exist or our login may not use it`]
        if (there.currency !== currency) return [`${group} is not in ${currency}`]
        if (there.passwordLengthMin === null) return [`the password length of ${group} cannot be read`]
        return there.passwordLengthMin > tradingPasswordLength ? [`${group} requires longer passwords than ours`] : []
      })
      if (wrong.length > 0) throw new ConformanceError(wrong.join('; '))
      return `groups: ${found.size}`
    },
  }
}

/** Returns the checks that change something and undo it: 0.01 deposited and withdrawn, leverage changed and reset. */
export function changingChecks(platform: TradingServer, login: () => string): ConformanceCheck[] {
  let currency: Currency = 'EUR'
  let leverage = 0
  let positions = 0
  let booked: string | null = null
  return [
    {
      name: 'account to change',
      gate: 'list',
      async run() {
        const account = await platform.getAccount(login())
        positions = await platform.openPositions(login())
        ;({ currency } = account.balance)
        ;({ leverage } = account)
        if (!account.enabled) throw new CheckNotRun('the account is disabled')
      },
    },
    {
      name: 'balance +0.01',
      async run() {
        booked = await book(platform, login(), money(1n, currency))
        return `under ${booked}`
      },
    },
    {
      name: 'balance −0.01',
      async run() {
        if (booked === null) throw new CheckNotRun('nothing to take back was seen to be booked')
        try {
          return `under ${await book(platform, login(), money(-1n, currency))}`
        } catch (error) {
          if (!(error instanceof ConformanceError)) throw error
          throw new ConformanceError(
            `${error.message}. The 0.01 ${currency} under ${booked} may still be on the account`,
          )
        }
      },
    },
    {
      name: 'leverage there and back',
      async run() {
        if (positions > 0) throw new CheckNotRun('the account has open positions, whose margin would change')
        await changeLeverage(platform, login(), leverage)
        return `1:${leverage} again`
      },
    },
  ]
}

/**
 * Posts an amount under a new comment and finds it by that comment. Throws `ConformanceError` with the item to
 * investigate.
 */
async function book(platform: TradingServer, login: string, amount: ReturnType<typeof money>): Promise<string> {
  const ref = conformanceComment()
  const around = new Date()
  try {
    const { ticket } = await platform.applyBalance({ ref, login, amount, checkMargin: amount.minor < 0n })
    const found = await platform.findBalanceOperation(login, ref, around)
    if (found?.ticket !== ticket)
      throw new ConformanceError(`the operation under ${ref} is not found again by its comment`)
    return ref
  } catch (error) {
    if (error instanceof Rejected || !isIntegrationError(error)) throw error
    throw new ConformanceError(`${withCause(error)}. Search for ${ref} on the platform: it may have been booked`)
  }
}

async function changeLeverage(platform: TradingServer, login: string, before: number): Promise<void> {
  try {
    await platform.setLeverage(login, before === 100 ? 50 : 100)
    await platform.setLeverage(login, before)
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    const now = await platform.getAccount(login)
    if (now.leverage === before) throw error
    throw new ConformanceError(
      `${withCause(error)}. The leverage is 1:${now.leverage} now: set it to 1:${before} again`,
    )
  }
}

/**
 * Opens an account in a group, finds it by its comment, changes it as `changingChecks` and `ofNewAccount` do, and
 * disables it.
 */
export function openingChecks(
  platform: TradingServer,
  group: string,
  known: AccountSearch['known'],
  ofNewAccount: (login: () => string) => readonly ConformanceCheck[],
): ConformanceCheck[] {
  const ref = conformanceComment()
  const sentAt = new Date()
  let login = ''
  return [
    {
      name: 'open an account',
      gate: 'list',
      async run() {
        login = await open(platform, group, ref)
        return `login ${login} under ${ref}`
      },
    },
    {
      name: 'find it by its comment',
      async run() {
        const found = await platform.findAccountByRef(ref, { groups: [group], sentAt, known })
        if (found?.login !== login) throw new ConformanceError('the account is not found by its comment')
      },
    },
    ...changingChecks(platform, () => login).map(({ name, run }) => ({ name, run })),
    ...ofNewAccount(() => login),
    {
      name: 'disable it',
      async run() {
        await platform.setEnabled(login, false)
        return `login ${login} may be deleted on the platform`
      },
    },
  ]
}

async function open(platform: TradingServer, group: string, ref: string): Promise<string> {
  const account = {
    ref,
    group,
    name: 'Conformance Check',
    email: 'conformance@example.com',
    country: 'Germany',
    leverage: 30,
    main: newPassword(),
    investor: newPassword(),
  }
  try {
    return (await platform.createAccount(account)).login
  } catch (error) {
    if (error instanceof Unknown)
      throw new ConformanceError(`${withCause(error)}. Search for ${ref}: it may have been opened`)
    throw error
  }
}

/**
 * Returns a password that is never used to sign in: with all four character classes, as long as both platforms accept.
 */
function newPassword(): string {
  return `Cx7!${randomBytes(6).toString('base64url')}`
}
