/** Splits text into runs of one font and one direction, for names in every script with an installed font (ADR 245). */
import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HarfBuzz } from './shaping.ts'

/** Installed separately (`fonts/package.json`), so neither the start nor the product's image layer depends on it. */
const folder = fileURLToPath(new URL('../../fonts/node_modules/', import.meta.url))
const engine = new URL('../../fonts/node_modules/bidi-js/dist/bidi.mjs', import.meta.url)

/** The cut of Noto Sans with a script's letters; Tibetan has one of Noto Serif alone. */
const cuts: Readonly<Record<string, string>> = {
  Adlam: 'adlam',
  Arabic: 'arabic',
  Armenian: 'armenian',
  Balinese: 'balinese',
  Bengali: 'bengali',
  Bopomofo: 'tc',
  Canadian_Aboriginal: 'canadian-aboriginal',
  Chakma: 'chakma',
  Cherokee: 'cherokee',
  Devanagari: 'devanagari',
  Ethiopic: 'ethiopic',
  Georgian: 'georgian',
  Gujarati: 'gujarati',
  Gurmukhi: 'gurmukhi',
  Hangul: 'kr',
  Hebrew: 'hebrew',
  Hiragana: 'jp',
  Javanese: 'javanese',
  Kannada: 'kannada',
  Katakana: 'jp',
  Khmer: 'khmer',
  Lao: 'lao',
  Lisu: 'lisu',
  Malayalam: 'malayalam',
  Meetei_Mayek: 'meetei-mayek',
  Mongolian: 'mongolian',
  Myanmar: 'myanmar',
  Nko: 'nko',
  Ol_Chiki: 'ol-chiki',
  Oriya: 'oriya',
  Sinhala: 'sinhala',
  Syriac: 'syriac',
  Tamil: 'tamil',
  Telugu: 'telugu',
  Thaana: 'thaana',
  Thai: 'thai',
  Tibetan: 'tibetan',
  Tifinagh: 'tifinagh',
  Vai: 'vai',
  Yi: 'yi',
}
const scripts = Object.entries(cuts).map(([script, cut]) => ({ letter: RegExp(`\\p{scx=${script}}`, 'u'), cut }))
const eastAsian = ['sc', 'tc', 'jp', 'kr'] as const

/** Characters that the document's own font draws without further checks. */
const isPlain = /^[\x20-\x7e\xa0-\u02ff\u0370-\u052f\u1e00-\u1fff\u2010-\u2027\u202f-\u203a\u20ac\u2212]*$/
/** Characters that use the font of the letter to which they belong. */
const isBound = /\p{M}|\p{Join_Control}/u
const isOfNoScript = /\p{Script=Common}|\p{Script=Inherited}/u
/**
 * They reverse the printed text, and no name has them. Only `isolateDirection` sets isolates, which are never drawn.
 */
const controls = /[\p{Bidi_Control}\p{Cc}]/gu
const neverDrawnCharacters = /[[\p{Bidi_Control}\p{Cc}\u200b]--[\u2068\u2069]]/gv
const isolates = /[\u2068\u2069]/
/** Blocks of right-to-left scripts whose characters take two units of a string, which bidi-js reads one by one. */
const rightToLeftPairs = /[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu

/** The used part of bidi-js. */
interface Bidi {
  getEmbeddingLevels(text: string, direction: 'ltr'): { readonly levels: Uint8Array }
  getMirroredCharacter(char: string): string | null
}

export interface Run {
  readonly text: string
  /** A cut of Noto Sans, or null for the document's own font. */
  readonly cut: string | null
  readonly level: number
  /** True if no installed font has its characters. */
  readonly isMissing: boolean
}

/** Returns whether a font has a character; null stands for the document's own font. */
type HasGlyph = (cut: string | null, codePoint: number) => boolean

export function isPlainText(text: string): boolean {
  return isPlain.test(text)
}

/**
 * Returns a name for printing next to other text, whose order it must not change: otherwise a number after a name in
 * Arabic is printed before the name.
 */
export function isolateDirection(name: string): string {
  return isPlainText(name) ? name : `\u2068${name.replaceAll(controls, '')}\u2069`
}

/** Scripts that are written without spaces between words, so that only a dictionary finds where a line can end. */
const unspaced = /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu

/** Returns a text with a zero-width space, which is never drawn, between the words of such scripts. */
export function addLineBreakPoints(text: string): string {
  if (isPlainText(text)) return text
  const words = new Intl.Segmenter(undefined, { granularity: 'word' })
  return text.replaceAll(unspaced, (run) => Array.from(words.segment(run), ({ segment }) => segment).join('\u200b'))
}

/** Returns the bidi engine, or null if it is not installed. */
export async function loadBidi(): Promise<Bidi | null> {
  if (!existsSync(engine)) return null
  const { default: make } = (await import(engine.href)) as { default: () => Bidi }
  return make()
}

/** Returns the files of the installed cuts. */
export function installedCuts(): Map<string, string> {
  const files = globSync('@expo-google-fonts/noto-*/400Regular/*_400Regular.ttf', { cwd: folder })
  return new Map(files.map((file) => [/noto-(?:sans|serif)-([a-z-]+)/.exec(file)?.[1] ?? '', folder + file]))
}

/** Returns whether engines and fonts are installed completely: what they lack then, no later installation brings. */
export function areFontsInstalled(
  installed: ReadonlyMap<string, string>,
  engines: readonly (Bidi | HarfBuzz | null)[],
): boolean {
  return !engines.includes(null) && [...Object.values(cuts), ...eastAsian].every((cut) => installed.has(cut))
}

/** Returns a line's runs from left to right, in a left-to-right document. */
export function runsOf(line: string, { bidi, has }: { readonly bidi: Bidi | null; readonly has: HasGlyph }): Run[] {
  const text = line.replaceAll(neverDrawnCharacters, '')
  const levels =
    bidi?.getEmbeddingLevels(text.replaceAll(rightToLeftPairs, '\u05d0\u05d0'), 'ltr').levels ??
    new Uint8Array(text.length)
  const han = hanCuts(text)
  const runs: Run[] = []
  let at = 0
  for (const char of text) {
    const level = levels[at] ?? 0
    at += char.length
    if (isolates.test(char)) continue
    const before = runs.at(-1)
    const { cut, isMissing } = fontOf(char, { before, level }, { has, han })
    const shown = level % 2 === 1 ? (bidi?.getMirroredCharacter(char) ?? char) : char
    if (before && before.cut === cut && before.level === level && before.isMissing === isMissing)
      runs[runs.length - 1] = { ...before, text: before.text + shown }
    else runs.push({ text: shown, cut, level, isMissing })
  }
  return toVisualOrder(runs.map(reverseForOwnFont))
}

function fontOf(
  char: string,
  { before, level }: { readonly before: Run | undefined; readonly level: number },
  { has, han }: { readonly has: HasGlyph; readonly han: readonly string[] },
): Pick<Run, 'cut' | 'isMissing'> {
  if (before && isBound.test(char)) return before
  const codePoint = char.codePointAt(0) ?? 0
  const own = /\p{Script=Han}/u.test(char)
    ? han
    : scripts.filter(({ letter }) => letter.test(char)).map(({ cut }) => cut)
  // A space between two right-to-left words belongs to them.
  const neighbour = level % 2 === 1 ? [before?.cut ?? null] : []
  const wanted = isOfNoScript.test(char) ? [...neighbour, null, ...own, ...han] : [...own, null]
  const cut = wanted.find((name) => has(name, codePoint))
  return cut === undefined ? { cut: null, isMissing: true } : { cut, isMissing: false }
}

/**
 * Returns the East Asian cuts for a text's Han characters, the preferred one first: by its other letters, or else by
 * the characters.
 */
function hanCuts(text: string): string[] {
  const first = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'jp'
    : /\p{Script=Hangul}/u.test(text)
      ? 'kr'
      : isSimplified(text)
        ? 'sc'
        : 'tc'
  return [first, ...eastAsian.filter((cut) => cut !== first)]
}

let simplified: ReadonlySet<string> | null = null

/** Returns whether mainland China's character set (GB 2312) has all the Han characters of a text. */
function isSimplified(text: string): boolean {
  const characters = text.match(/\p{Script=Han}/gu)
  if (characters === null) return true
  simplified ??= new Set(new TextDecoder('gb2312').decode(Uint8Array.from(hanRows())))
  return characters.every((char) => simplified?.has(char))
}

/** Yields rows 16 to 87 of GB 2312, 94 characters each. */
function* hanRows(): Generator<number> {
  for (let lead = 0xb0; lead <= 0xf7; lead += 1) for (let trail = 0xa1; trail <= 0xfe; trail += 1) yield* [lead, trail]
}

/**
 * The document's own font draws only from left to right, so the characters of a right-to-left run are reversed here.
 */
function reverseForOwnFont(run: Run): Run {
  return run.cut === null && run.level % 2 === 1 ? { ...run, text: [...run.text].toReversed().join('') } : run
}

/** Converts the reading order to the visual order (Unicode Standard Annex 9, rule L2). */
function toVisualOrder(runs: readonly Run[]): Run[] {
  const line = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1)
    for (let from = 0; from < line.length; from += 1) {
      let to = from
      while (to < line.length && (line[to]?.level ?? 0) >= level) to += 1
      line.splice(from, to - from, ...line.slice(from, to).toReversed())
      from = to
    }
  return line
}
