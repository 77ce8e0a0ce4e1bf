/** An account as it is opened on a trading platform. */
import type { NewPlatformAccount } from '#server/integrations/trading-platform/trading-server.ts'

/** Returns the request to open an account in a group, under a reference by which the platform finds it. */
export function platformAccount(
  ref: string,
  group: string,
  changes: Partial<NewPlatformAccount> = {},
): NewPlatformAccount {
  return {
    ref,
    group,
    name: 'Hannah Brandt',
    email: 'hannah@example.com',
    country: 'Germany',
    leverage: 30,
    main: 'Quince-71!',
    investor: 'Harbour-71!',
    ...changes,
  }
}
