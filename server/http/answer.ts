import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

/** The body that leaves: checked and encoded by the endpoint's own schema, `success` in front. */
export function wireAnswer(endpoint: Endpoint, answer: unknown): Record<string, unknown> {
  return { success: true, ...(z.encode(endpoint.answer, answer as never) as object) }
}
