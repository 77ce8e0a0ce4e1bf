/**
 * Valid input of calls, derived from the contract's own schemas: a value that passes each of them, and every field with
 * its path. The cases of each endpoint are made from these, so that a new field is tested once it is declared.
 */
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

export type Path = readonly (string | number)[]

export interface Field {
  /** The path from the body to the value. */
  readonly path: Path
  /** The leaf name under which a problem must be reported. */
  readonly name: string
  readonly schema: z.ZodMiniType
}

/** One kind of body of an endpoint: most have one, the registration one for each substep. */
export interface BodyKind {
  readonly title: string
  readonly schema: z.ZodMiniType
  readonly sound: unknown
  readonly fields: readonly Field[]
}

const texts = [
  'absent',
  '2026-01-02',
  'absent@example.com',
  '250.00',
  '100',
  '4',
  'true',
  'DE',
  '+4930901820',
  'absent.pdf',
  'C01X00T478D3801061ISCMANN04K',
  'C01X00T478D38010612908<<<<<<<<<4',
  'a'.repeat(64),
  'me',
  '2026-01',
  '2026',
]
const numbers = [1, 30, 200, 1984]

/** Returns a value that the schema accepts in a request; `world` has values by leaf name. */
export function validValue(schema: z.ZodMiniType, world: Readonly<Record<string, unknown>> = {}, name = ''): unknown {
  const def = schemaDefinition(schema)
  if (name in world && z.safeDecode(schema, world[name] as never).success) return world[name]
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return validValue(innerSchema(def.innerType), world, name)
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([key, one]) => [key, validValue(innerSchema(one), world, key)]),
      )
    case 'array':
      return [validValue(innerSchema(def.element), world, name)]
    case 'enum':
      return Object.values(def.entries)[0]
    case 'literal':
      return def.values[0]
    default:
      return firstAllowed(schema, name)
  }
}

function firstAllowed(schema: z.ZodMiniType, name: string): unknown {
  const found = [...texts, ...numbers, true, {}].find((value) => z.safeDecode(schema, value as never).success)
  if (found === undefined) throw new Error(`nothing sound is known for “${name}”`)
  return found
}

/** Returns every field of a schema, including those in lists and records. */
export function fieldsOf(schema: z.ZodMiniType, path: Path = []): Field[] {
  const def = schemaDefinition(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return fieldsOf(innerSchema(def.innerType), path)
    case 'object':
      return Object.entries(def.shape).flatMap(([key, one]) => {
        const here = [...path, key]
        return [{ path: here, name: key, schema: innerSchema(one) }, ...fieldsOf(innerSchema(one), here)]
      })
    case 'array': {
      const here = [...path, 0]
      const name = path.findLast((part) => typeof part === 'string')
      return [
        { path: here, name: String(name), schema: innerSchema(def.element) },
        ...fieldsOf(innerSchema(def.element), here),
      ]
    }
    default:
      return []
  }
}

/** Returns the bodies of an endpoint, each complete. */
export function bodyKinds(endpoint: Endpoint, world: Readonly<Record<string, unknown>> = {}): BodyKind[] {
  const several = Object.entries(endpoint.bodies)
  const kinds: [string, z.ZodMiniType][] = several.length > 0 ? several : [['', endpoint.body]]
  return kinds.map(([title, schema]) => {
    const [step, subStep] = title.split('.').map(Number)
    const marks = title === '' ? {} : { step, subStep }
    return { title, schema, sound: validValue(schema, { ...world, ...marks }), fields: fieldsOf(schema) }
  })
}

/** Returns a copy of `whole` with another value at the end of the path; `undefined` removes it. */
export function withValue(whole: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value
  if (Array.isArray(whole)) return whole.map((one, place) => (place === first ? withValue(one, rest, value) : one))
  const { [first]: before, ...others } = whole as Record<string, unknown>
  const after = withValue(before, rest, value)
  return after === undefined ? others : { ...others, [first]: after }
}

/** Returns a schema without its optional wrappers. */
export function unwrapSchema(schema: z.ZodMiniType): z.ZodMiniType {
  const def = schemaDefinition(schema)
  return 'innerType' in def ? unwrapSchema(innerSchema(def.innerType)) : schema
}

/** Returns the kinds of JSON values that the published document allows for a field. */
export function allowedJsonKinds(schema: z.ZodMiniType): ReadonlySet<JsonKind> {
  return jsonKindsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
}

export type JsonKind = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null'
export const jsonKinds: Readonly<Record<JsonKind, unknown>> = {
  string: 'text',
  number: 7,
  boolean: true,
  array: [],
  object: {},
  null: null,
}

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

function jsonKindsIn(json: JsonSchema): ReadonlySet<JsonKind> {
  const named = [json.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type) as JsonKind)
  const listed = [...(json.enum ?? []), ...('const' in json ? [json.const] : [])].map(jsonKindOf)
  const below = (json.anyOf ?? []).flatMap((one) => [...jsonKindsIn(one)])
  const kinds = [...named, ...listed, ...below]
  return new Set(kinds.length > 0 ? kinds : (Object.keys(jsonKinds) as JsonKind[]))
}

function jsonKindOf(value: unknown): JsonKind {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as JsonKind)
}

function schemaDefinition(schema: z.ZodMiniType) {
  return (schema as z.core.$ZodType as z.core.$ZodTypes)._zod.def
}

function innerSchema(schema: z.core.SomeType): z.ZodMiniType {
  return schema as z.ZodMiniType
}
