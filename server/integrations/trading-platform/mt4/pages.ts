/** Reading of the gateway's lists page by page. */
import { Unavailable } from '../../errors.ts'

interface Page {
  /** The `after` of the following page; null on the last one. */
  readonly next: string | null
}

/** A page of a list of a time: after a ticket, or the first one; only these logins or groups if they are named. */
export interface PageQuery {
  readonly from: Date
  readonly to: Date
  readonly after: string | null
  readonly logins?: string
  readonly groups?: string
}

/** Returns the path of a page, with its query. */
export function pagePath(path: string, { from, to, after, ...names }: PageQuery): string {
  const query = { from: from.toISOString(), to: to.toISOString(), ...names, ...(after !== null && { after }) }
  return `${path}?${new URLSearchParams(query).toString()}`
}

/** Reads all pages of a list. Throws `Unavailable` if a page is not followed by a later one. */
export async function* allPages<Read extends Page>(
  read: (after: string | null) => Promise<Read>,
): AsyncGenerator<Read> {
  let after: string | null = null
  do {
    const page: Read = await pageAfter(after, read)
    yield page
    after = page.next
  } while (after !== null)
}

/**
 * Reads the page after a ticket, or the first one. Throws `Unavailable` if the following page would begin at the same
 * ticket or an earlier one: reading would never end.
 */
export async function pageAfter<Read extends Page>(
  after: string | null,
  read: (after: string | null) => Promise<Read>,
): Promise<Read> {
  const page = await read(after)
  if (page.next !== null && BigInt(page.next) <= BigInt(after ?? 0))
    throw new Unavailable('The gateway returned a page that does not follow the one before')
  return page
}
