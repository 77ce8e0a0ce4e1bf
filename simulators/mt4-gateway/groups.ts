/**
 * The groups of this server: those of `GROUPS` (JSON), or real, demo and professional ones. MT4 allows 15 characters
 * for a name.
 */
interface Group {
  readonly name: string
  readonly currency: string
  readonly passwordMin: number
}

const shortestPassword = 5

export const groups: readonly Group[] = groupsOf(process.env.GROUPS)

function groupsOf(json: string | undefined): Group[] {
  if (json !== undefined) {
    const given = JSON.parse(json) as (Partial<Group> & { name: string; currency: string })[]
    return given.map((group) => ({ passwordMin: shortestPassword, ...group }))
  }
  return ['real', 'demo', 'pro'].flatMap((realm) =>
    ['std', 'ecn'].flatMap((type) =>
      ['EUR', 'GBP', 'USD'].map((currency) => ({
        name: `${realm}-${type}-${currency}`,
        currency,
        passwordMin: shortestPassword,
      })),
    ),
  )
}

export function groupNamed(name: string): Group | undefined {
  return groups.find((group) => group.name === name)
}
