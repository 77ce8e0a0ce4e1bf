/**
 * Encodes responses with functions that are built once per schema, because walking the schema for every field of every
 * row was the most expensive part of a long list. Values that a function cannot verify are passed to the schema itself,
 * which encodes them or reports the error. The functions must therefore be correct, but need not be complete.
 */
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

type Schema = z.core.$ZodType
type Encode = (value: unknown) => unknown

/** Returns the response body: checked and encoded by the endpoint's own schema, with `success` first. */
export function serializeResponse(endpoint: Endpoint, answer: unknown): Record<string, unknown> {
  return { success: true, ...(fastEncode(endpoint.response, answer) as object) }
}

/** Returned by a fast encoder that cannot verify a value. */
const unverified = Symbol('unsure')

const encoders = new WeakMap<Schema, Encode>()

/**
 * Returns the same as `z.encode(schema, value)`, but faster. Throws the same error for a value that the schema does not
 * allow.
 */
export function fastEncode(schema: z.ZodMiniType, value: unknown): unknown {
  const quick = encoderOf(schema)(value)
  return quick === unverified ? z.encode(schema, value as never) : quick
}

function encoderOf(schema: Schema): Encode {
  let encode = encoders.get(schema)
  if (!encode) {
    encode = createEncoder(schema)
    encoders.set(schema, encode)
  }
  return encode
}

function createEncoder(schema: Schema): Encode {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (hasChecks(schema)) return schemaEncoder(schema)
  switch (def.type) {
    case 'object':
      return def.catchall ? schemaEncoder(schema) : objectEncoder(def.shape)
    case 'array':
      return arrayEncoder(encoderOf(def.element))
    case 'nullable': {
      const inner = encoderOf(def.innerType)
      return (value) => (value === null ? null : inner(value))
    }
    case 'string':
      return passThroughIf((value) => typeof value === 'string')
    case 'boolean':
      return passThroughIf((value) => typeof value === 'boolean')
    case 'enum': {
      const words = new Set<unknown>(Object.values(def.entries))
      return passThroughIf((value) => typeof value === 'string' && words.has(value))
    }
    case 'pipe':
      return codecEncoder(schema)
    default:
      return schemaEncoder(schema)
  }
}

/**
 * Returns whether a schema has checks, which run on the value before it is encoded: only the schema itself can run
 * them.
 */
function hasChecks(schema: Schema): boolean {
  return (schema._zod.def.checks?.length ?? 0) > 0 || schema._zod.traits.has('$ZodCheck')
}

function schemaEncoder(schema: Schema): Encode {
  return (value) => {
    const encoded = z.safeEncode(schema, value as never)
    return encoded.success ? encoded.data : unverified
  }
}

function passThroughIf(fits: (value: unknown) => boolean): Encode {
  return (value) => (fits(value) ? value : unverified)
}

function arrayEncoder(element: Encode): Encode {
  return (value) => {
    if (!Array.isArray(value)) return unverified
    const encoded: unknown[] = []
    for (const one of value as unknown[]) {
      const item = element(one)
      if (item === unverified) return unverified
      encoded.push(item)
    }
    return encoded
  }
}

function objectEncoder(shape: Readonly<Record<string, Schema>>): Encode {
  const fields = Object.entries(shape).map(([name, field]) => {
    const { def } = (field as z.core.$ZodTypes)._zod
    const isOptional = def.type === 'optional' && !hasChecks(field)
    return { name, isOptional, encode: encoderOf(isOptional ? def.innerType : field) }
  })
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return unverified
    const given = value as Readonly<Record<string, unknown>>
    const encoded: Record<string, unknown> = {}
    for (const { name, isOptional, encode } of fields) {
      const one = given[name]
      if (one === undefined && isOptional) continue
      const field = one === undefined ? unverified : encode(one)
      if (field === unverified) return unverified
      encoded[name] = field
    }
    return encoded
  }
}

/** Returns the encoder of a codec between two supported types; the schema of the resulting text checks that text. */
function codecEncoder(schema: Schema): Encode {
  if (!(schema instanceof z.core.$ZodCodec)) return schemaEncoder(schema)
  const { out, in: made, reverseTransform } = schema._zod.def
  const inside = (out as z.core.$ZodTypes)._zod.def
  if (hasChecks(out) || (inside.type !== 'date' && inside.type !== 'bigint')) return schemaEncoder(schema)
  const fits =
    inside.type === 'date'
      ? (value: unknown) => value instanceof Date && !Number.isNaN(value.getTime())
      : (value: unknown) => typeof value === 'bigint'
  const check = typeCheckOf(made)
  return (value) => {
    if (!fits(value)) return unverified
    const encoded: unknown = reverseTransform(value as never, { value, issues: [] } as never)
    return check(encoded) ? encoded : unverified
  }
}

/** Returns a function that checks whether a value that is sent unchanged has the schema's type. */
function typeCheckOf(schema: Schema): (value: unknown) => boolean {
  const { def, traits } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'number' && traits.has('$ZodNumberFormat') && !def.checks?.length)
    return (value) => (def as z.core.$ZodNumberFormatDef).format === 'safeint' && Number.isSafeInteger(value)
  const patterns = def.type === 'string' ? patternsOf(def.checks ?? []) : null
  if (patterns) return (value) => typeof value === 'string' && patterns.every((pattern) => pattern.test(value))
  return (value) => z.safeEncode(schema, value as never).success
}

/** Returns the patterns that a text must match, or null if it has other checks, too. */
function patternsOf(checks: readonly z.core.$ZodCheck[]): RegExp[] | null {
  const patterns = checks.map((check) => (check instanceof z.core.$ZodCheckRegex ? check._zod.def.pattern : null))
  const plain = patterns.filter((pattern) => pattern !== null && !pattern.global && !pattern.sticky)
  return plain.length === checks.length ? (plain as RegExp[]) : null
}
