/** The permissions of the manager account of the Web API (webapi_preparing): all except those that a switch removes. */
import { Misuse, type Route } from '../process/http.ts'

/**
 * personal: personal data of accounts; accountant: balance operations; modify: accounts; trades: deals and positions.
 */
export const managerRights = ['personal', 'accountant', 'modify', 'trades'] as const
type ManagerRight = (typeof managerRights)[number]

export class ManagerRights {
  #missing: ReadonlySet<ManagerRight>

  constructor(missing: readonly ManagerRight[]) {
    this.#missing = new Set(missing)
  }

  has(right: ManagerRight): boolean {
    return !this.#missing.has(right)
  }

  restore(): void {
    this.#missing = new Set()
  }

  /** `POST /rights { missing: ["personal"] }` */
  readonly route: Route = ({ fields }) => {
    const { missing } = fields
    if (!Array.isArray(missing) || !missing.every(isRight))
      throw new Misuse(`missing is a list of ${managerRights.join(', ')}`)
    this.#missing = new Set(missing)
  }
}

function isRight(name: unknown): name is ManagerRight {
  return (managerRights as readonly unknown[]).includes(name)
}
