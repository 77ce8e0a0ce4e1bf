/** A section while it is edited: its wire form, read and changed by paths such as "title.en" or "dates.0.at". */
import { languages, type Language } from '#rules/choices.ts'
import { createContext, useContext } from 'react'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export interface Draft {
  readonly value: Json
  /** The value in force. */
  readonly saved: Json
  readonly defaultValue: Json
  /** True while a change waits for another person, or if the role may only read. */
  readonly locked: boolean
  /** Error messages by path. */
  readonly errors: Readonly<Record<string, string>>
  /** The language that is being edited. */
  readonly language: Language
  readonly set: (path: string, value: Json) => void
}

export const DraftContext = createContext<Draft | null>(null)

export function useDraft(): Draft {
  const draft = useContext(DraftContext)
  if (!draft) throw new Error('The settings screen must provide the draft to its forms')
  return draft
}

/** Returns the value at a path; undefined if there is none. */
export function jsonAt(value: Json | undefined, path: string): Json | undefined {
  let at: Json | undefined = value
  for (const name of path === '' ? [] : path.split('.')) {
    if (at === null || typeof at !== 'object') return undefined
    at = (at as Readonly<Record<string, Json>>)[name]
  }
  return at
}

export function textAt(value: Json | undefined, path: string): string {
  const found = jsonAt(value, path)
  if (found === undefined || found === null) return ''
  return typeof found === 'object' ? JSON.stringify(found) : String(found)
}

export function listAt(value: Json | undefined, path: string): readonly Json[] {
  const found = jsonAt(value, path)
  return Array.isArray(found) ? (found as readonly Json[]) : []
}

export function namesAt(value: Json | undefined, path: string): string[] {
  const found = jsonAt(value, path)
  return found !== null && typeof found === 'object' && !Array.isArray(found) ? Object.keys(found) : []
}

/** Returns the value with a replacement at a path. */
export function jsonWith(value: Json | undefined, path: string, next: Json): Json {
  const [name, ...rest] = path.split('.')
  if (name === undefined || path === '') return next
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    return list.map((one, index) => (String(index) === name ? jsonWith(one, rest.join('.'), next) : one))
  }
  const held = (value ?? {}) as Readonly<Record<string, Json>>
  return { ...held, [name]: jsonWith(held[name], rest.join('.'), next) }
}

/** Returns an object without one of its properties. */
export function jsonWithout(value: Json | undefined, name: string): Json {
  return Object.fromEntries(
    Object.entries((value ?? {}) as Readonly<Record<string, Json>>).filter(([one]) => one !== name),
  )
}

/** Returns an empty text in each language. */
export function emptyTexts(): Record<string, string> {
  return Object.fromEntries(languages.map((language) => [language, '']))
}
