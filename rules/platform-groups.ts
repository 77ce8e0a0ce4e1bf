/** The names of the platform groups that accounts are opened in. The firm's server must have them under these names. */
import { currencies, type Currency } from './money.ts'

export interface GroupChoice {
  platform: 'MT4' | 'MT5'
  demo: boolean
  type: 'Standard' | 'ECN'
  currency: Currency
  professional: boolean
}

/** "real\pro-ecn-EUR" on MT5; "pro-ecn-EUR" on MT4, whose group names have 15 characters at most. */
export function groupName(choice: GroupChoice): string {
  const type = choice.type.toLowerCase()
  if (choice.platform === 'MT5') {
    const professional = choice.professional && !choice.demo ? 'pro-' : ''
    return `${choice.demo ? 'demo' : 'real'}\\${professional}${type}-${choice.currency}`
  }
  const realm = choice.demo ? 'demo' : choice.professional ? 'pro' : 'real'
  return `${realm}-${type === 'standard' ? 'std' : type}-${choice.currency}`
}

/** Returns what the accounts of a live group of this name are, or null where it is none of ours. */
export function liveGroup(platform: GroupChoice['platform'], name: string): GroupChoice | null {
  for (const type of ['Standard', 'ECN'] as const)
    for (const currency of currencies)
      for (const professional of [false, true]) {
        const choice = { platform, demo: false, type, currency, professional }
        if (groupName(choice) === name) return choice
      }
  return null
}
