/** The platform groups of a new firm: those of the simulators. A firm with servers of its own names its own. */
import { clientStatuses } from '#rules/choices.ts'
import { accountTypes, platforms } from '#rules/constants.ts'
import { currencies } from '#rules/money.ts'
import { realms, type GroupFacts, type GroupRow } from '#rules/platform-groups.ts'

/**
 * Returns the default group: "real\\pro-ecn-EUR" on MT5, "pro-ecn-EUR" on MT4. All demo accounts of a kind share a
 * group, whatever their owner's category.
 */
function defaultGroup({ platform, realm, type, currency, status }: GroupFacts): string {
  const isProfessional = realm === 'real' && status === 'professional'
  if (platform === 'MT5') return `${realm}\\${isProfessional ? 'pro-' : ''}${type.toLowerCase()}-${currency}`
  return `${isProfessional ? 'pro' : realm}-${type === 'Standard' ? 'std' : 'ecn'}-${currency}`
}

/** A row for each kind of account, for every country. */
export const defaultGroupRows: readonly GroupRow[] = platforms.flatMap((platform) =>
  realms.flatMap((realm) =>
    accountTypes.flatMap((type) =>
      currencies.flatMap((currency) =>
        clientStatuses.map((status) => {
          const facts = { platform, realm, type, currency, status, country: '' }
          return { ...facts, group: defaultGroup(facts) }
        }),
      ),
    ),
  ),
)
