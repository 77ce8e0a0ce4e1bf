/** Drafts of document forms, which survive a reload in this tab. They refer to files by their ids on the server. */
import * as z from 'zod/mini'
import type { DocumentKind } from '#rules/document-kinds.ts'
import type { DocumentValues } from './document-errors.ts'

const text = z.string()
const values = z.object({
  country: text,
  documentNumber: text,
  expiryDay: text,
  expiryMonth: text,
  expiryYear: text,
  documentFront: text,
  documentBack: text,
})

function nameOf(clientId: string, kind: DocumentKind): string {
  return `portal.document.${clientId}.${kind}`
}

const draft = z.object({ over: values, typed: values })

/** Returns the entries that differ from `saved`; null if there are none, or if something else has been saved since. */
export function readDocumentDraft(clientId: string, kind: DocumentKind, saved: DocumentValues): DocumentValues | null {
  const kept = sessionStorage.getItem(nameOf(clientId, kind))
  const found = draft.safeParse(kept === null ? null : JSON.parse(kept))
  if (!found.success) return null
  const { over, typed } = found.data
  return (Object.keys(saved) as (keyof DocumentValues)[]).every((name) => over[name] === saved[name]) ? typed : null
}

/** Stores a draft; null deletes it, because it is saved or equals what is. */
export function keepDocumentDraft(
  clientId: string,
  kind: DocumentKind,
  over: DocumentValues,
  typed: DocumentValues | null,
): void {
  if (typed) sessionStorage.setItem(nameOf(clientId, kind), JSON.stringify({ over, typed }))
  else sessionStorage.removeItem(nameOf(clientId, kind))
}
