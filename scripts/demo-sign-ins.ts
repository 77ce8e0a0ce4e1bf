/** The people whom a start of the demo lists. Separate from the seed, which imports the whole server. */
import { colleagues, demoPassword, personas } from './seed/personas.ts'

export interface SignIn {
  readonly who: string
  readonly email: string
  readonly password: string
}

export const demoSignIns: readonly SignIn[] = [
  { who: 'client', email: personas.clara.email, password: demoPassword },
  { who: 'compliance officer', email: colleagues.compliance.email, password: demoPassword },
  { who: 'operations clerk', email: colleagues.operations.email, password: demoPassword },
  { who: 'finance supervisor', email: colleagues.finance.email, password: demoPassword },
  { who: 'administrator', email: colleagues.admin.email, password: demoPassword },
]
