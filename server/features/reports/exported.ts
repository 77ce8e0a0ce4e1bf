/** One list as a file: its filters and order are those on the screen, its columns those of `Columns`. */
import * as z from 'zod/mini'
import type { AccessLevel } from '#contract/endpoint.ts'
import { raw, type Sql } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { csvOf, type CsvFile } from '../../export/csv.ts'
import type { Listing, ListQuery } from '../../office/listing.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Heading to SQL expression; amounts end in `_minor` and become decimals. Only constants, never values. */
type Columns = Readonly<Record<string, string>>

export interface ExportedList {
  /** Who may read the list. */
  readonly access: readonly AccessLevel[]
  /** The filters and page of the list. */
  readonly query: z.ZodMiniType
  readonly columns: Columns
  /** Returns the rows of a query, in its order. Throws `unknown-value` for a filter that the list does not have. */
  file(
    dependencies: Dependencies,
    context: RequestContext,
    asked: { readonly query: Readonly<Record<string, unknown>>; readonly most: number },
    shown: { readonly heading: readonly string[]; readonly lineOf: (row: Row) => readonly string[] },
  ): Promise<CsvFile>
}

/** A row by the headings of its list. */
type Row = Readonly<Record<string, unknown>>

interface ListEndpoint {
  readonly access: readonly AccessLevel[]
  readonly query: z.ZodMiniType<ListQuery>
}

export function exportedList<E extends ListEndpoint>(
  endpoint: E,
  list:
    | Listing<z.output<E['query']>>
    | ((
        dependencies: Dependencies,
        context: RequestContext,
      ) => Listing<z.output<E['query']>> | Promise<Listing<z.output<E['query']>>>),
  columns: Columns,
): ExportedList {
  return {
    access: endpoint.access,
    query: endpoint.query,
    columns,
    async file(dependencies, context, asked, { heading, lineOf }) {
      const query = z.safeDecode(endpoint.query, asked.query as never)
      if (!query.success) {
        const issue = query.error.issues[0]
        throw new Problem(filterProblems.find((code) => code === issue?.message) ?? 'unknown-value', {
          field: fieldOf(issue),
        })
      }
      const exported = {
        list: typeof list === 'function' ? await list(dependencies, context) : list,
        columns: selectColumns(columns),
        query: query.data as z.output<E['query']>,
        most: asked.most,
      }
      return csvOf(dependencies, exported, heading, lineOf)
    },
  }
}

/** Errors about amounts that say what to enter; a file uses the same ones as its list. */
const filterProblems = ['filter-amount-invalid', 'filter-amount-negative', 'filter-currency-missing'] as const

function fieldOf(issue: z.core.$ZodIssue | undefined): string {
  return String(issue?.code === 'unrecognized_keys' ? issue.keys[0] : (issue?.path[0] ?? 'list'))
}

function selectColumns(columns: Columns): Sql {
  return raw(
    Object.entries(columns)
      .map(([name, expression]) => `${expression} as "${name}"`)
      .join(', '),
  )
}
