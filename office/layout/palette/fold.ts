/** Words without accents and capitals, as the server's search compares them (migration 0230). */
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

export function folded(text: string): string {
  return [...text].map(foldedLetter).join('')
}

/** Returns where a text has the words, as a range of its own characters; null where it has not. */
export function rangeOf(text: string, words: string): readonly [number, number] | null {
  const wanted = folded(words.trim())
  if (wanted === '') return null
  let plain = ''
  // The character of the text that each letter of the folded text comes from.
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
