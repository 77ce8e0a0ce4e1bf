/**
 * Turns compared cells into the lines and fields of a zone: each position allows certain characters (ICAO 9303); a
 * check digit chooses between near readings, and this is reported; otherwise the first reading is kept with low
 * confidence.
 */
import type { MatchedZone } from './match-zone.ts'
import { characters } from './templates.ts'

export const zoneFields = [
  'surname',
  'givenNames',
  'number',
  'nationality',
  'birthDate',
  'sex',
  'expiry',
  'issuer',
] as const
export type ZoneField = (typeof zoneFields)[number]

export interface FieldReading {
  /** From 0 to 1: the confidence that each of its characters is right. */
  readonly confidence: number
  /** Null for fields without a check digit. */
  readonly checked: boolean | null
  /** True if its check digit has chosen between near readings. */
  readonly chosen: boolean
}

export interface ZoneReading {
  readonly lines: readonly string[]
  readonly fields: Readonly<Record<ZoneField, FieldReading>>
}

type Kind = 'letter' | 'digit' | 'digitOrFiller' | 'any' | 'sex' | 'first'

export interface Span {
  readonly line: number
  readonly from: number
  readonly to: number
  readonly kind: Kind
}

interface Layout {
  readonly spans: Readonly<Record<Exclude<ZoneField, 'surname' | 'givenNames'> | 'names', Span>>
  /** Check digits by the field that they check. */
  readonly digits: Readonly<Record<CheckedField, Cell>>
  /**
   * The optional data of a card. If `<` is in the place of the number's check digit, the number continues here and ends
   * with its digit (ICAO 9303 parts 5 and 6). Null in passports.
   */
  readonly numberRest: Span | null
}

type CheckedField = 'number' | 'birthDate' | 'expiry'
type Cell = readonly [line: number, at: number]

const span = (line: number, from: number, length: number, kind: Kind): Span => ({ line, from, to: from + length, kind })

/** Returns where the fields of a zone are, by the length of its lines. */
export function layoutOf(length: number): Layout {
  if (length === 30) {
    return {
      spans: {
        issuer: span(0, 2, 3, 'letter'),
        number: span(0, 5, 9, 'any'),
        birthDate: span(1, 0, 6, 'digit'),
        sex: span(1, 7, 1, 'sex'),
        expiry: span(1, 8, 6, 'digit'),
        nationality: span(1, 15, 3, 'letter'),
        names: span(2, 0, 30, 'letter'),
      },
      digits: { number: [0, 14], birthDate: [1, 6], expiry: [1, 14] },
      numberRest: span(0, 15, 15, 'any'),
    }
  }
  return {
    spans: {
      issuer: span(0, 2, 3, 'letter'),
      names: span(0, 5, length - 5, 'letter'),
      number: span(1, 0, 9, 'any'),
      nationality: span(1, 10, 3, 'letter'),
      birthDate: span(1, 13, 6, 'digit'),
      sex: span(1, 20, 1, 'sex'),
      expiry: span(1, 21, 6, 'digit'),
    },
    digits: { number: [1, 9], birthDate: [1, 19], expiry: [1, 27] },
    numberRest: length === 36 ? span(1, 28, 7, 'any') : null,
  }
}

const allowed: Readonly<Record<Kind, RegExp>> = {
  letter: /[A-Z<]/,
  digit: /[0-9]/,
  digitOrFiller: /[0-9<]/,
  any: /./,
  sex: /[MF<X]/,
  first: /[PACIV]/,
}

interface Reading {
  readonly character: string
  readonly share: number
}

/** The number of a cell's independent pixels: the fewer, the less a slightly higher similarity means. */
const independentPixels = 30
/** Softer characters have fewer, because each pixel resembles its neighbours. */
const ownSoftnessMax = 2
/** The minimum doubt of any reading. */
const doubtMin = 0.001
/** A reading is near if its share is at least this. */
const nearShareMin = 0.004
const nearReadingsMax = 4
const combinationsMax = 20_000

export function readFields({ format, lines, softness }: Omit<MatchedZone, 'likeness'>): ZoneReading {
  const independent = independentPixels * Math.min(1, ownSoftnessMax / softness)
  const layout = layoutOf(format.length)
  const kinds = kindsOf(layout, format)
  const near = lines.map((line, row) =>
    line.map(({ scores }, place) => readingsOf(scores, kinds[row]?.[place] ?? 'any', independent)),
  )
  const first = (row: number, place: number): Reading => near[row]?.[place]?.[0] ?? { character: '<', share: 0 }
  const text = near.map((line, row) => line.map((_, place) => first(row, place).character))
  const shareOf = ({ line, from, to }: Span) => {
    let share = 1
    for (let place = from; place < to; place += 1) share *= first(line, place).share
    return share
  }
  const unchecked = (one: Span): FieldReading => ({
    confidence: clampShare(shareOf(one)),
    checked: null,
    chosen: false,
  })
  const checked = (field: CheckedField): FieldReading => {
    const places = checkedCells(layout, field, text)
    const choices = places.map(([line, at]) => near[line]?.[at] ?? [])
    const settled = likeliestValidReading(choices, field)
    if (!settled) return { confidence: clampShare(shareOf(layout.spans[field]) * 0.4), checked: false, chosen: false }
    settled.characters.forEach((character, index) => {
      const [line, at] = places[index] ?? [0, 0]
      const written = text[line]
      if (written) written[at] = character
    })
    return { confidence: settled.confidence, checked: true, chosen: settled.chosen }
  }
  const fields = {
    number: checked('number'),
    birthDate: checked('birthDate'),
    expiry: checked('expiry'),
    nationality: unchecked(layout.spans.nationality),
    issuer: unchecked(layout.spans.issuer),
    sex: unchecked(layout.spans.sex),
    ...namesOf(layout.spans.names, text, unchecked),
  }
  return { lines: text.map((line) => line.join('')), fields: limitConfidence(fields) }
}

/** Returns the cells of a field, its check digit last. */
function checkedCells(layout: Layout, field: CheckedField, text: readonly (readonly string[])[]): Cell[] {
  const rest = field === 'number' ? numberRestIn(layout, text) : []
  return [...cellsOf(layout.spans[field]), layout.digits[field], ...rest]
}

function cellsOf({ line, from, to }: Span): Cell[] {
  return [...Array(to - from).keys()].map((index) => [line, from + index] as const)
}

/**
 * Returns the cells after the filler in which a long number continues, its check digit last; none of another number.
 */
function numberRestIn({ digits, numberRest }: Layout, text: readonly (string | readonly string[])[]): Cell[] {
  const [line, at] = digits.number
  if (numberRest === null || text[line]?.[at] !== '<') return []
  const length = (text[numberRest.line] ?? '').slice(numberRest.from, numberRest.to).indexOf('<')
  return cellsOf({ ...numberRest, to: numberRest.from + Math.max(0, length) })
}

/** By the number of correct check digits of three: lines placed wrongly on the image look certain, too. */
const confidenceMax = [0.4, 0.6, 0.9, 0.99]

function limitConfidence(fields: Readonly<Record<ZoneField, FieldReading>>): Record<ZoneField, FieldReading> {
  const right = zoneFields.filter((field) => fields[field].checked === true).length
  const limit = (one: FieldReading) => ({
    ...one,
    confidence: Math.min(one.confidence, one.checked === true ? 0.99 : (confidenceMax[right] ?? 0)),
  })
  return Object.fromEntries(zoneFields.map((field) => [field, limit(fields[field])])) as Record<ZoneField, FieldReading>
}

function kindsOf(layout: Layout, { lines, length }: { lines: number; length: number }): Kind[][] {
  const kinds = Array.from({ length: lines }, () => Array<Kind>(length).fill('any'))
  const set = ({ line, from, to, kind }: Span) => kinds[line]?.fill(kind, from, to)
  Object.values(layout.spans).forEach(set)
  for (const [line, place] of Object.values(layout.digits)) set(span(line, place, 1, 'digit'))
  if (layout.numberRest !== null) set(span(...layout.digits.number, 1, 'digitOrFiller'))
  set(span(0, 0, 1, 'first'))
  set(span(0, 1, 1, 'letter'))
  // The composite check digit is the last one, in the second line; a visa has none.
  return kinds
}

/** Returns a cell's readings, the nearest first, with their shares among the allowed characters. */
function readingsOf(scores: Float32Array, kind: Kind, independent: number): Reading[] {
  const readings = [...characters].flatMap((character, index) =>
    allowed[kind].test(character) ? [{ character, score: Math.max(0, scores[index] ?? 0) }] : [],
  )
  const weighted = readings.map(({ character, score }) => ({
    character,
    weight: (1 - Math.min(score, 0.995) ** 2) ** (-independent / 2),
  }))
  const all = weighted.reduce((sum, { weight }) => sum + weight, 0)
  const certain = 1 - doubtMin
  return weighted
    .map(({ character, weight }) => ({ character, share: (weight / all) * certain }))
    .sort((a, b) => b.share - a.share)
    .filter(({ share }, index) => index === 0 || (index < nearReadingsMax && share >= nearShareMin))
}

/** Returns the likeliest readings whose check digit is correct, the digit last; null if none of the near ones is. */
function likeliestValidReading(choices: readonly (readonly Reading[])[], field: string) {
  let combinations: { characters: string[]; share: number }[] = [{ characters: [], share: 1 }]
  for (const readings of choices) {
    combinations = combinations
      .flatMap(({ characters: before, share }) =>
        readings.map((one) => ({ characters: [...before, one.character], share: share * one.share })),
      )
      .sort((a, b) => b.share - a.share)
      .slice(0, combinationsMax / choices.length)
  }
  const [top] = combinations
  const right = combinations.filter(({ characters: all }) => isCheckDigitRight(all) && isPossibleValue(field, all))
  const [best] = right
  if (!best || !top) return null
  const sum = right.reduce((total, { share }) => total + share, 0)
  const chosen = best !== top
  // One in ten wrong readings has a correct check digit by chance: the share of other readings is the rest.
  const unexplained = Math.max(0, 1 - combinations.reduce((total, { share }) => total + share, 0)) / 10
  const confidence = clampShare(best.share / (sum + unexplained))
  return { characters: best.characters, confidence: chosen ? Math.min(confidence, 0.95) : confidence, chosen }
}

const shortNumberLength = 9

/** The last character is the digit. Issuers of long numbers count the filler after the ninth character, or do not. */
function isCheckDigitRight(all: readonly string[]): boolean {
  const [checked, digit] = [all.slice(0, -1), all.at(-1)]
  const isRight = (characters: readonly string[]) => checkDigitOf(characters.join('')) === digit
  if (checked.length <= shortNumberLength) return isRight(checked)
  const isFilled = checked[shortNumberLength] === '<'
  return isFilled && (isRight(checked) || isRight(checked.toSpliced(shortNumberLength, 1)))
}

/** Returns whether the field is one of the existing months or days. */
function isPossibleValue(field: string, all: readonly string[]): boolean {
  if (field === 'number') return true
  const month = Number(`${all[2]}${all[3]}`)
  const day = Number(`${all[4]}${all[5]}`)
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

const clampShare = (share: number) => Math.min(0.99, Math.max(0, share))

const weights = [7, 3, 1]

/** ICAO 9303 part 3, 4.9. */
export function checkDigitOf(text: string): string {
  const sum = [...text].reduce((total, character, index) => {
    const value = character === '<' ? 0 : parseInt(character, 36)
    return total + value * (weights[index % 3] ?? 0)
  }, 0)
  return String(sum % 10)
}

/**
 * A name ends at two fillers; the fillers after the last one belong to it, as they end it. Given names start after the
 * surname, so a misread filler in the surname moves them: their confidence is at most that of the surname.
 */
function namesOf(names: Span, text: readonly string[][], confidenceOf: (one: Span) => FieldReading) {
  const written = (text[names.line] ?? []).slice(names.from, names.to).join('')
  const gap = written.indexOf('<<')
  const end = gap < 0 ? written.length : gap + 2
  const rest = written.slice(end)
  const after = rest.indexOf('<<')
  const last = after < 0 ? rest.length : Math.min(rest.length, after + 2)
  const surname = confidenceOf({ ...names, to: names.from + end })
  const givenNames = confidenceOf({ ...names, from: names.from + end, to: names.from + end + last })
  return {
    surname,
    givenNames: { ...givenNames, confidence: Math.min(givenNames.confidence, surname.confidence) },
  }
}
