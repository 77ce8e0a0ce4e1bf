/**
 * Imports clients from a CSV file of another system: validated as a whole first, written completely or not at all, each
 * invited by a mail with a link to set a password. Nothing that requires a decision here is imported.
 */
import { parse } from 'csv-parse/sync'
import type * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { profileInput } from '#contract/profile.ts'
import { titles, type Language, type Title, isLanguage, languages } from '#rules/choices.ts'
import { checkResidence, countryOf } from '#rules/countries.ts'
import { dayIn } from '#rules/dates.ts'
import { checkBirthText } from '#rules/profile-checks.ts'
import type { ClientId } from '#rules/ids.ts'
import { recordClientEvent } from '../db/events.ts'
import { row, rows, sql, transaction, type Transaction } from '../db/sql.ts'
import { problemText } from '../http/problem.ts'
import { sendMail } from '../mail/send-mail.ts'
import { createLink } from '../auth/one-time-links.ts'
import { auditContextOf, CommandError, type OperatorContext } from './context.ts'

/** The columns of the file's first line; those with a star may be empty. */
export const importColumns = [
  'email',
  'title',
  'name',
  'surname',
  'country',
  'language*',
  'birthDate*',
  'mobilePhone*',
  'address*',
  'city*',
  'postcode*',
  'nationality*',
] as const

const required = ['email', 'title', 'name', 'surname', 'country'] as const
const rowsMax = 50_000

interface Person {
  readonly line: number
  readonly email: string
  readonly title: Title
  readonly name: string
  readonly surname: string
  readonly country: string
  readonly language: Language
  readonly birthDate: string | null
  readonly mobilePhone: string | null
  readonly address: string
  readonly city: string | null
  readonly postcode: string | null
  readonly nationality: string | null
}

interface ImportReport {
  readonly ready: number
  /** The number of addresses that are clients already, which are unchanged. */
  readonly known: number
  readonly wrong: readonly { readonly line: number; readonly why: string }[]
  readonly written: number
}

/** Reads the file and reports what would happen; with `apply`, and only if no line is invalid, imports it. */
export async function importClients(context: OperatorContext, csv: string, apply: boolean): Promise<ImportReport> {
  const lines = linesOf(csv)
  const { changes } = await context.settings.get('countries')
  const { timeZone } = await context.settings.get('firm')
  const today = dayIn(context.now(), timeZone)
  const people: Person[] = []
  const wrong: { line: number; why: string }[] = []
  const seen = new Set<string>()
  for (const { cells, number } of lines) {
    const read = personOf(cells, number, changes, today)
    if (typeof read === 'string') wrong.push({ line: number, why: read })
    else if (seen.has(read.email)) wrong.push({ line: number, why: `${read.email} appears twice in the file` })
    else people.push(read)
    if (typeof read !== 'string') seen.add(read.email)
  }
  const known = new Set(
    (
      await rows<{ email: string }>(
        context.pool,
        sql`select email::text as email from clients where email = any (${[...seen]}::citext[])`,
      )
    ).map(({ email }) => email.toLowerCase()),
  )
  const fresh = people.filter((person) => !known.has(person.email))
  if (!apply || wrong.length > 0) return { ready: fresh.length, known: known.size, wrong, written: 0 }
  const written = await transaction(context.pool, (tx) => insertClients(tx, context, fresh))
  return { ready: fresh.length, known: known.size, wrong, written }
}

interface Line {
  readonly cells: Record<string, string>
  /** The line of the file where it begins. */
  readonly number: number
}

function linesOf(csv: string): Line[] {
  let lines: Line[]
  try {
    // A line break of two characters inside a cell would count as two lines.
    lines = parse<Line, Record<string, string>>(csv.replaceAll('\r\n', '\n'), {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: false,
      on_record: (cells, { lines: end }) => ({
        cells,
        number: end - Object.values(cells).join('').split('\n').length + 1,
      }),
    })
  } catch (error) {
    throw new CommandError(`The file could not be read: ${(error as Error).message}`)
  }
  const [first] = lines
  if (!first) throw new CommandError('The file contains no clients.')
  if (lines.length > rowsMax) throw new CommandError(`The file has ${lines.length} clients. The maximum is ${rowsMax}.`)
  const known: string[] = importColumns.map((column) => column.replace('*', ''))
  const strange = Object.keys(first.cells).filter((column) => !known.includes(column))
  const missing = required.filter((column) => !(column in first.cells))
  if (strange.length > 0)
    throw new CommandError(`Unknown columns: ${strange.join(', ')}. Allowed columns: ${importColumns.join(', ')}.`)
  if (missing.length > 0) throw new CommandError(`Missing columns: ${missing.join(', ')}.`)
  return lines
}

/** Returns the person of a line, or a sentence with the error. */
function personOf(
  cells: Record<string, string>,
  number: number,
  changes: Parameters<typeof countryOf>[1],
  today: ReturnType<typeof dayIn>,
): Person | string {
  const cell = (name: string) => cells[name] ?? ''
  const optional = (name: string) => (cell(name) === '' ? null : cell(name))
  const address = emailField.safeParse(cell('email'))
  if (!address.success) return `"${cell('email')}" is not a valid email address`
  if (!(titles as readonly string[]).includes(cell('title')))
    return `"${cell('title')}" is not a title. Titles: ${titles.join(', ')}`
  const texts = textsOf(cells)
  if (typeof texts === 'string') return texts
  if (checkResidence(countryOf(cell('country'), changes)) !== null)
    return `"${cell('country')}" is not a country open to clients`
  const nationality = optional('nationality')
  if (nationality !== null && countryOf(nationality) === null) return `"${nationality}" is not a country`
  const birthDate = optional('birthDate')
  if (birthDate !== null && checkBirthText(birthDate, today) !== null)
    return `"${birthDate}" is not the birth date of an adult (YYYY-MM-DD)`
  const language = cell('language') === '' ? 'en' : cell('language')
  if (!isLanguage(language)) return `"${language}" is not a language. Languages: ${languages.join(', ')}`
  return {
    line: number,
    email: address.data,
    title: cell('title') as Title,
    name: texts.name ?? '',
    surname: texts.surname ?? '',
    country: cell('country'),
    language,
    birthDate,
    mobilePhone: texts.mobilePhone,
    address: texts.address ?? '',
    city: texts.city,
    postcode: texts.postcode,
    nationality,
  }
}

/** The columns with free text. */
const textColumns = ['name', 'surname', 'mobilePhone', 'address', 'city', 'postcode'] as const
type TextColumn = (typeof textColumns)[number]

/** Returns the texts of a line as a form would store them, null if an optional one is empty, or a sentence. */
function textsOf(cells: Record<string, string>): Record<TextColumn, string | null> | string {
  const texts: Record<string, string | null> = {}
  for (const name of textColumns) {
    const cell = cells[name] ?? ''
    const isOptional = !(required as readonly string[]).includes(name)
    const read = profileInput[name].safeParse(cell)
    if (!read.success && !(isOptional && cell === '')) return `${name} "${cell}": ${whyInvalid(read.error)}`
    texts[name] = read.data ?? null
  }
  return texts as Record<TextColumn, string | null>
}

/** Returns the text that a form shows, without its full stop. */
function whyInvalid({ issues: [issue] }: z.core.$ZodError): string {
  const values = issue?.code === 'custom' ? issue.params : undefined
  return problemText(issue?.message as ProblemCode, 'en', values).replace(/\.$/, '')
}

async function insertClients(tx: Transaction, context: OperatorContext, people: readonly Person[]): Promise<number> {
  const { invitationHours } = await context.settings.get('security')
  const now = context.now()
  let written = 0
  for (const person of people) {
    const {
      email,
      title,
      name,
      surname,
      country,
      language,
      birthDate,
      mobilePhone,
      address,
      city,
      postcode,
      nationality,
    } = person
    const made = await row<{ id: ClientId }>(
      tx,
      sql`insert into clients (email, title, name, surname, country, language, birth_date, mobile_phone, address, city, postcode,
            nationality, step, sub_step, password_changed_at, created_at)
          values (${email}, ${title}, ${name}, ${surname}, ${country}, ${language}, ${birthDate}, ${mobilePhone}, ${address}, ${city},
            ${postcode}, ${nationality}, 1, 2, ${now}, ${now})
          on conflict (email) do nothing returning id`,
    )
    if (!made) continue
    const link = await createLink(
      tx,
      context.keys,
      { purpose: 'setpassword', owner: { clientId: made.id }, lifeSeconds: invitationHours * 3600 },
      now,
    )
    const details = { title, name, surname, email, country }
    await recordClientEvent(tx, auditContextOf(context), made.id, { action: 'import', to: 'registering', details })
    await sendMail(tx, now, {
      kind: 'client-invited',
      to: email,
      language,
      facts: { link, hours: invitationHours },
      clientId: made.id,
    })
    written += 1
  }
  return written
}
