/** The groups of this server; MT4 allows 15 characters for a name. */
export const groups = ['real', 'demo', 'pro'].flatMap((realm) =>
  ['std', 'ecn'].flatMap((type) =>
    ['EUR', 'GBP', 'USD'].map((currency) => ({ name: `${realm}-${type}-${currency}`, currency })),
  ),
)

export function groupNamed(name: string): { name: string; currency: string } | undefined {
  return groups.find((group) => group.name === name)
}
