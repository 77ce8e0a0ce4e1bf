/** The names of the platform groups that accounts are opened in. The firm's server must have them under these names. */
import type { Currency } from './money.ts'

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
