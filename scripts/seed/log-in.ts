import { login } from '#contract/users-session.ts'
import { demoPassword, type Persona } from './personas.ts'
import type { SeedContext } from './context.ts'

/** Returns a client's token, by email and password. */
export async function logIn(context: SeedContext, person: Persona): Promise<string> {
  const { token } = await context.call(login, { body: { email: person.email, password: demoPassword } })
  if (!token) throw new Error(`${person.email} was not logged in.`)
  return token
}
