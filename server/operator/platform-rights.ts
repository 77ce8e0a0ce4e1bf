/** Rights that our login lacks at a platform, in the words of the vendor's Administrator program. */
import type { PlatformRight } from '../integrations/trading-platform/trading-server.ts'

interface Right {
  readonly name: string
  readonly effect: string
}

const rights: Readonly<Record<PlatformRight, Right>> = {
  accounts: { name: 'Access to accounts', effect: 'balances cannot be read and no money moves' },
  money: { name: 'Balance operations', effect: 'no money moves' },
  'personal-data': {
    name: 'Access to personal data of accounts',
    effect: 'an account whose opening was not answered cannot be found again',
  },
  deals: {
    name: 'Access to trade orders',
    effect: 'deals cannot be read: no operation is confirmed and nothing reconciled',
  },
}

/** One row for the doctor: what is missing, what follows and what to do. */
export function missingRightsText(platform: string, missing: readonly PlatformRight[]): string {
  const names = missing.map((right) => rights[right].name).join(', ')
  const effects = missing.map((right) => rights[right].effect).join('; ')
  return `${platform}: right missing: ${names} | effect on the client: ${effects} | do: grant it to our login in the configuration of managers`
}
