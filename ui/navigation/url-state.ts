/** Filters, pages and open drawers are stored in the URL; each screen reads them with its own schema. */
import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'
import * as z from 'zod/mini'
import { dayOf } from '#rules/dates.ts'

/** A date in a URL, "2026-11-21". */
export const dateInUrl = z.string().check(z.refine((text) => dayOf(text) !== null))

/**
 * Returns the values of the URL and a function that changes some of them: `const [filters, setFilters] =
 * useUrlState(schema)`. '' and undefined remove a value. Values that the schema rejects count as absent.
 */
export function useUrlState<S extends z.ZodMiniType<Record<string, unknown>>>(
  schema: S,
): [z.output<S>, (change: Record<string, string | number | undefined>, options?: { replace?: boolean }) => void] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const written = Object.fromEntries(new URLSearchParams(search))
  const set = useCallback(
    (change: Record<string, string | number | undefined>, { replace = true } = {}) => {
      navigate(path + changeQuery(search, change), { replace })
    },
    [navigate, path, search],
  )
  return [readUrlState(schema, written), set]
}

function readUrlState<S extends z.ZodMiniType<Record<string, unknown>>>(
  schema: S,
  written: Record<string, string>,
): z.output<S> {
  const parsed = schema.safeParse(written)
  if (parsed.success) return parsed.data
  const refused = new Set(parsed.error.issues.map((issue) => issue.path[0]))
  return schema.parse(Object.fromEntries(Object.entries(written).filter(([name]) => !refused.has(name))))
}

/** Returns "?status=pending&page=2", a query string with some values changed; '' when none is left. */
export function changeQuery(search: string, change: Record<string, string | number | undefined>): string {
  const values = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') values.delete(name)
    else values.set(name, String(value))
  }
  return values.size > 0 ? `?${values}` : ''
}
