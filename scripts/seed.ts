/** The demo's history, played through the product's own calls with a clock in the past (requirements 22.5). */
import type { Config } from '#server/config/config.ts'
import { seedPayments } from './seed/money.ts'
import { seedOnboarding } from './seed/onboarding.ts'
import { openSeedContext } from './seed/context.ts'
import { hireStaff } from './seed/staff.ts'

/** Fills a migrated, empty database; simulators must run. */
export async function seed(config: Config): Promise<void> {
  const context = await openSeedContext(config)
  try {
    const staff = await hireStaff(context)
    const clients = await seedOnboarding(context, staff)
    await seedPayments(context, staff, clients)
  } finally {
    await context.close()
  }
}
