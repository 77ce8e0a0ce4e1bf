import { login } from '#contract/users-session.ts'
import { demoPassword, type Person } from './personas.ts'
import type { Stage } from './context.ts'

/** A client's token, by e-mail and password. */
export async function logIn(stage: Stage, person: Person): Promise<string> {
  const { token } = await stage.call(login, { body: { email: person.email, password: demoPassword } })
  if (!token) throw new Error(`${person.email} was not logged in.`)
  return token
}
