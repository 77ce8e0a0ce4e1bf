/** Checks that compare a name at the bank with the client's (requirements 19.13, 19.16). */
import { check, type Check, type Fact, type Judgement } from './check.ts'

export interface HolderFacts {
  readonly clientName: string
  /** As the clerk read it on the bank statement; null if not entered. */
  readonly holder: Fact<string | null>
}

export interface PayerFacts {
  readonly clientName: string
  /** Distinguishes clients with the same name. */
  readonly clientNumber: string
  /** The payer's name at the bank; empty if there is none. */
  readonly payer: Fact<string>
}

/** Warns of a withdrawal to bank details that were approved before holders were entered, until one is. */
export const holderIsClient: Check<HolderFacts> = check(
  'account-holder',
  'compliance',
  ({ holder }) => holder,
  (holder, { clientName }) => judgeHolder(holder, clientName, { result: 'warn', sentence: 'holder-not-entered' }),
)

/** Bank details can be approved only with their holder. */
export const holderEntered: Check<HolderFacts> = check(
  'account-holder',
  'compliance',
  ({ holder }) => holder,
  (holder, { clientName }) => ({
    ...judgeHolder(holder, clientName, { result: 'block', sentence: 'holder-required' }),
    final: holder === null,
  }),
)

function judgeHolder(
  holder: string | null,
  clientName: string,
  missing: Pick<Judgement, 'result' | 'sentence'>,
): Judgement {
  const facts = { holder: holder === null ? null : { text: holder }, client: { text: clientName } }
  if (holder === null) return { ...missing, facts }
  const like = compareNames(holder, clientName)
  return {
    result: like === 'same' ? 'pass' : like === 'near' ? 'warn' : 'block',
    sentence: like === 'same' ? 'holder-same' : like === 'near' ? 'holder-near' : 'holder-far',
    values: { holder: { text: holder }, client: { text: clientName } },
    facts,
  }
}

/** A payment by a third party: finance overrides it with evidence, or returns it to the sender. */
export const payerIsClient: Check<PayerFacts> = check(
  'payer',
  'finance',
  ({ payer }) => payer,
  (payer, { clientName, clientNumber }) => {
    const named = payer === '' ? null : { text: payer }
    const facts = { payer: named, client: { text: clientName }, clientNumber: { text: clientNumber } }
    if (payer === '') return { result: 'block', sentence: 'payer-missing', facts }
    const like = compareNames(payer, clientName)
    return {
      result: like === 'same' ? 'pass' : like === 'near' ? 'warn' : 'block',
      sentence: like === 'same' ? 'payer-same' : like === 'near' ? 'payer-near' : 'payer-far',
      values: { payer: { text: payer }, client: { text: clientName } },
      facts,
    }
  },
)

/** Compares the holder of a bank account with the client: normalised names, word by word. */

type NameLikeness = 'same' | 'near' | 'far'

const titles: readonly string[] = ['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'herr', 'frau', 'sir']
/** Conjunctions in the name of a joint account. */
const conjunctions: readonly string[] = ['and', 'und', 'or', 'oder', 'et', 'y', 'e']
const letterSpellings: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  å: 'aa',
  ø: 'oe',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const shortWordMax = 3
const longWordMin = 8

/**
 * Compares two names. `same`: the same words in any order, with or without a middle name. `near`: initials, a typing
 * error or a joint account.
 */
export function compareNames(holder: string, client: string): NameLikeness {
  const isJoint = /[&+]/.test(holder) || wordsOf(holder).some((word) => conjunctions.includes(word))
  const [holderNames, clientNames] = [namesOf(holder), namesOf(client)]
  if (holderNames.length === 0 || clientNames.length === 0) return 'far'
  const [few, many] = holderNames.length <= clientNames.length ? [holderNames, clientNames] : [clientNames, holderNames]
  if (areWordsAmong(few, many)) {
    if (isJoint) return 'near'
    return few.length >= 2 || many.length === 1 ? 'same' : 'near'
  }
  return few.length >= 2 && areAllWordsNear(few, many) ? 'near' : 'far'
}

/** Returns whether each word of a name is in another one, as often as in the first: "Ali Ali" is not "Ali Reza". */
export function areWordsAmong(few: readonly string[], many: readonly string[]): boolean {
  const left = [...many]
  return few.every((word) => {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/**
 * Returns whether each word of the shorter name matches one of the longer name as the word, its initial or a typing
 * error of it. At least one must match exactly.
 */
function areAllWordsNear(few: readonly string[], many: readonly string[]): boolean {
  const left = [...many]
  let wholeWords = 0
  for (const word of few.toSorted((a, b) => b.length - a.length)) {
    const exact = left.indexOf(word)
    const found = exact >= 0 ? exact : left.findIndex((other) => areWordsNear(word, other))
    if (found < 0) return false
    if (word.length > 1 && (left[found] ?? '').length > 1) wholeWords += 1
    left.splice(found, 1)
  }
  return wholeWords > 0
}

function areWordsNear(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  if (shorter === 1) return one[0] === other[0]
  if (shorter <= shortWordMax) return false
  return editDistance(one, other) <= (shorter >= longWordMin ? 2 : 1)
}

/** Returns how many letters are missing, added, wrong or transposed (Damerau–Levenshtein distance). */
function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, place) => place)]
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const at = (back: number, place: number) => (back === 0 ? row[place] : rows[i - back]?.[place]) ?? 0
      const wrong = one[i - 1] === other[j - 1] ? 0 : 1
      let least = Math.min(at(1, j) + 1, at(0, j - 1) + 1, at(1, j - 1) + wrong)
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (swapped) least = Math.min(least, at(2, j - 2) + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}

function namesOf(name: string): string[] {
  return wordsOf(name).filter((word) => !titles.includes(word) && !conjunctions.includes(word))
}

/** Splits a name into words in lower case without accents. Banks write "ä" as "ae" or "a", so all three are equal. */
function wordsOf(name: string): string[] {
  const plain = [...name.normalize('NFKC').toLowerCase()]
    .map((letter) => letterSpellings[letter] ?? letter)
    .join('')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\p{L})['’`´](?=\p{L})/gu, '')
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('ae', 'a').replaceAll('oe', 'o').replaceAll('ue', 'u').replaceAll('aa', 'a'))
}
