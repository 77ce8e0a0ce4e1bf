/** Text without accents and in lower case, as the server's search compares it (migration 0230). */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ħ: 'h',
  ð: 'd',
  æ: 'ae',
  œ: 'oe',
}

function foldedLetter(letter: string): string {
  const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return letters[plain] ?? plain
}

export function foldText(text: string): string {
  return [...text].map(foldedLetter).join('')
}

/** Returns the position of the words in a text, as a range of its own characters; null if it does not contain them. */
export function matchRange(text: string, words: string): readonly [number, number] | null {
  const wanted = foldText(words.trim())
  if (wanted === '') return null
  let plain = ''
  // The position in the text of each letter of the folded text.
  const origins: number[] = []
  let place = 0
  for (const letter of text) {
    const one = foldedLetter(letter)
    for (let count = 0; count < one.length; count += 1) origins.push(place)
    plain += one
    place += letter.length
  }
  const at = plain.indexOf(wanted)
  if (at < 0) return null
  const last = origins[at + wanted.length - 1] ?? 0
  const after = origins.find((origin) => origin > last) ?? text.length
  return [origins[at] ?? 0, after]
}
