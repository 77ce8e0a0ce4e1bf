/**
 * The groups of this server: those of `GROUPS` (JSON), or real and demo, Standard and ECN, including professional
 * clients, in each currency.
 */
import { Misuse, type Route } from '../process/http.ts'

export interface Group {
  readonly name: string
  readonly currency: string
  /** The minimum password length of the group's accounts: 8 to 16. */
  readonly passwordMin: number
  /** Whether daily reports are created for its accounts. */
  readonly reports: boolean
}

const shortestPassword = 8

type GivenGroup = Partial<Group> & { name: string; currency: string }

let groups =
  process.env.GROUPS === undefined ? defaultGroups() : withDefaults(JSON.parse(process.env.GROUPS) as GivenGroup[])

function withDefaults(list: readonly GivenGroup[]): readonly Group[] {
  return list.map((group) => ({ passwordMin: shortestPassword, reports: true, ...group }))
}

/** `POST /groups { groups }`: replaces the server's groups. */
export const groupsRoute: Route = ({ fields }) => {
  if (!Array.isArray(fields.groups)) throw new Misuse('groups is missing')
  groups = withDefaults(fields.groups as GivenGroup[])
}

export function allGroups(): readonly Group[] {
  return groups
}

function defaultGroups(): readonly Group[] {
  return ['real', 'demo'].flatMap((realm) =>
    ['standard', 'ecn', 'pro-standard', 'pro-ecn'].flatMap((type) =>
      ['EUR', 'GBP', 'USD'].map((currency) => ({
        name: `${realm}\\${type}-${currency}`,
        currency,
        passwordMin: shortestPassword,
        reports: true,
      })),
    ),
  )
}

export function groupNamed(name: string): Group | undefined {
  return groups.find((group) => group.name === name)
}

/** Returns the groups of a list of names and masks: "real\*,!real\ecn-EUR". */
export function groupsMatching(list: string): Group[] {
  const masks = list.split(',').filter((mask) => mask !== '')
  const wanted = masks.filter((mask) => !mask.startsWith('!'))
  const unwanted = masks.filter((mask) => mask.startsWith('!')).map((mask) => mask.slice(1))
  return groups.filter(
    (group) =>
      wanted.some((mask) => matchesMask(mask, group.name)) && !unwanted.some((mask) => matchesMask(mask, group.name)),
  )
}

function matchesMask(mask: string, name: string): boolean {
  const parts = mask.split('*')
  if (parts.length === 1) return mask === name
  let at = 0
  for (const [index, part] of parts.entries()) {
    const found = index === parts.length - 1 ? name.lastIndexOf(part) : name.indexOf(part, at)
    if (found < at || (index === 0 && found !== 0)) return false
    at = found + part.length
  }
  return parts.at(-1) === '' || at === name.length
}
