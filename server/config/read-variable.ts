/** Reads one variable of the environment. A bad value is rejected with one sentence that names it. */
import type * as z from 'zod/mini'
import { variables, type Variable, type VariableName } from './environment.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A value of the environment that prevents the start; its message is one sentence for the operator. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig'
}

/** Returns whether a variable has a value; an empty one counts as absent. */
export function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '').trim() !== ''
}

/** Returns the variable's value, or null if it is absent or empty. */
export function optionalValue<Value>(
  env: Environment,
  name: VariableName,
  schema: z.ZodMiniType<Value, string>,
): Value | null {
  if (!isSet(env, name)) return null
  const given = (env[name] ?? '').trim()
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const row: Variable = variables[name]
  throw new BadConfig(`${name} is ${row.secret ? 'not valid' : `"${given}"`}. Allowed: ${row.allowed}.`)
}

/** Returns the variable's value. Throws if it is missing, naming the variable that requires it. */
export function requiredValue<Value>(
  env: Environment,
  name: VariableName,
  schema: z.ZodMiniType<Value, string>,
  because: VariableName,
): Value {
  const given = optionalValue(env, name, schema)
  if (given === null) throw new BadConfig(`${name} is missing. ${because} requires it: ${variables[name].allowed}.`)
  return given
}
