/** The parts of a mail. A template maps facts and language to them. */
import type { Message } from '#contract/message.ts'
import type { Language } from '#rules/choices.ts'
import { translate } from '../i18n/translate.ts'

export type Block =
  | { readonly text: string }
  | { readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly button: string; readonly href: string }
  | { readonly quiet: string }

/** The values of a mail, as its job stores them. */
export type Facts = Readonly<Record<string, unknown>>

/** The texts of a kind of mail. */
export interface MailTexts {
  readonly subject: Message
  readonly body: Message
}

export interface MailContent {
  readonly subject: string
  /** Absent if it is the subject. */
  readonly heading?: string
  readonly blocks: readonly Block[]
}

export interface Letterhead {
  readonly firmName: string
  readonly supportEmail: string
  readonly brandColour: string
  readonly portalUrl: string
  readonly officeUrl: string
  readonly timeZone: string
  /** The firm's languages for clients. */
  readonly languages: readonly Language[]
  /** Returns the one-time id of a link's row, masked if another person than the recipient views the mail. */
  oneTimeId(linkRow: string): string
}

/** One kind of mail: maps facts and language to subject and blocks. */
export type MailTemplate = (facts: Facts, language: Language, letterhead: Letterhead) => MailContent

/** Returns the record that a mail links to; mails written before this fact existed link to the list. */
export function recordOf({ record }: Facts): string | undefined {
  return typeof record === 'string' ? record : undefined
}

/** Returns a fact as text; throws if it is not text. */
export function factText(facts: Facts, name: string): string {
  const value = facts[name]
  if (typeof value !== 'string') throw new Error(`email fact ${name} is missing`)
  return value
}

/**
 * Returns a text in a language with its placeholders filled; throws if a value is missing, so that no mail has a gap.
 */
export function mailText(message: Message, language: Language, values: Readonly<Record<string, unknown>> = {}): string {
  const names = [...message.message.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name)
  return translate(message, language, Object.fromEntries(names.map((name) => [name, placeholderValue(values, name)])))
}

function placeholderValue(values: Readonly<Record<string, unknown>>, name: string): string | number {
  return typeof values[name] === 'number' ? values[name] : factText(values, name)
}
