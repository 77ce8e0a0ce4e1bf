/** Cuts text into runs of one font and one direction, for names in every script that a font is installed for (ADR 245). */
import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Installed on its own (`fonts/package.json`): neither the start nor the product's image layer waits for it. */
const folder = fileURLToPath(new URL('../../fonts/node_modules/', import.meta.url))
const engine = new URL('../../fonts/node_modules/bidi-js/dist/bidi.mjs', import.meta.url)

/** The cut of Noto Sans that has a script's letters. */
const cuts: Readonly<Record<string, string>> = {
  Arabic: 'arabic',
  Armenian: 'armenian',
  Bengali: 'bengali',
  Devanagari: 'devanagari',
  Ethiopic: 'ethiopic',
  Georgian: 'georgian',
  Gujarati: 'gujarati',
  Gurmukhi: 'gurmukhi',
  Hangul: 'kr',
  Hebrew: 'hebrew',
  Hiragana: 'jp',
  Kannada: 'kannada',
  Katakana: 'jp',
  Khmer: 'khmer',
  Lao: 'lao',
  Malayalam: 'malayalam',
  Oriya: 'oriya',
  Sinhala: 'sinhala',
  Tamil: 'tamil',
  Telugu: 'telugu',
  Thaana: 'thaana',
  Thai: 'thai',
}
const scripts = Object.entries(cuts).map(([script, cut]) => ({ letter: RegExp(`\\p{scx=${script}}`, 'u'), cut }))
const eastAsian = ['sc', 'tc', 'jp', 'kr'] as const

/** Drawn by the document's own font without being looked at. */
const isPlain = /^[\x20-\x7e\xa0-\u02ff\u0370-\u052f\u1e00-\u1fff\u2010-\u2027\u202f-\u203a\u20ac\u2212]*$/
/** Takes the font of the letter that it belongs to. */
const isBound = /\p{M}|\p{Join_Control}/u
const isOfNoScript = /\p{Script=Common}|\p{Script=Inherited}/u
/** Reverse what is printed: a name has none of them. Isolates are set by `isolated` alone, and are never drawn. */
const controls = /[\p{Bidi_Control}\p{Cc}]/gu
const otherControls = /[[\p{Bidi_Control}\p{Cc}]--[\u2068\u2069]]/gv
const isolates = /[\u2068\u2069]/

/** The part of bidi-js that is used. */
interface Bidi {
  getEmbeddingLevels(text: string, direction: 'ltr'): { readonly levels: Uint8Array }
  getMirroredCharacter(char: string): string | null
}

export interface Run {
  readonly text: string
  /** A cut of Noto Sans, or null for the document's own font. */
  readonly cut: string | null
  readonly level: number
  /** Nothing that is installed has its characters. */
  readonly isMissing: boolean
}

/** True if a font has a character; null stands for the document's own. */
type HasGlyph = (cut: string | null, codePoint: number) => boolean

export function isPlainText(text: string): boolean {
  return isPlain.test(text)
}

/**
 * Returns a name to be printed beside other text, which keeps its place: without it, a number after a name in Arabic is
 * printed before the name.
 */
export function isolated(name: string): string {
  return isPlainText(name) ? name : `\u2068${name.replaceAll(controls, '')}\u2069`
}

/** The text engine, or null where it is not installed. */
export async function loadBidi(): Promise<Bidi | null> {
  if (!existsSync(engine)) return null
  const { default: make } = (await import(engine.href)) as { default: () => Bidi }
  return make()
}

/** The files of the cuts that are installed. */
export function installedCuts(): Map<string, string> {
  const files = globSync('@expo-google-fonts/noto-sans-*/400Regular/*_400Regular.ttf', { cwd: folder })
  return new Map(files.map((file) => [/noto-sans-([a-z]+)/.exec(file)?.[1] ?? '', folder + file]))
}

/** A line's runs from left to right, in a document that is itself written from left to right. */
export function runsOf(line: string, { bidi, has }: { readonly bidi: Bidi | null; readonly has: HasGlyph }): Run[] {
  const text = line.replaceAll(otherControls, '')
  const levels = bidi?.getEmbeddingLevels(text, 'ltr').levels ?? new Uint8Array(text.length)
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
  return reordered(runs.map(ofOwnFont))
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
  // A space between two words that are read from the right stays with them.
  const beside = level % 2 === 1 ? [before?.cut ?? null] : []
  const wanted = isOfNoScript.test(char) ? [...beside, null, ...own, ...han] : [...own, null]
  const cut = wanted.find((name) => has(name, codePoint))
  return cut === undefined ? { cut: null, isMissing: true } : { cut, isMissing: false }
}

/** Which East Asian cut draws a text's Han characters first: that of its other letters, else by the characters. */
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

/** True if mainland China's own character set (GB 2312) has all the Han characters of a text. */
function isSimplified(text: string): boolean {
  const characters = text.match(/\p{Script=Han}/gu)
  if (characters === null) return true
  simplified ??= new Set(new TextDecoder('gb2312').decode(Uint8Array.from(hanRows())))
  return characters.every((char) => simplified?.has(char))
}

/** Rows 16 to 87 of GB 2312, 94 characters each. */
function* hanRows(): Generator<number> {
  for (let lead = 0xb0; lead <= 0xf7; lead += 1) for (let trail = 0xa1; trail <= 0xfe; trail += 1) yield* [lead, trail]
}

/** The document's own font draws from left to right only: signs of a run that is read from the right are turned here. */
function ofOwnFont(run: Run): Run {
  return run.cut === null && run.level % 2 === 1 ? { ...run, text: [...run.text].toReversed().join('') } : run
}

/** From the order of reading to that of the line (Unicode Standard Annex 9, rule L2). */
function reordered(runs: readonly Run[]): Run[] {
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
