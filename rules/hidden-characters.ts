/**
 * Invisible characters: zero-width and other ignorable ones, and those that change the text direction. Contact apps
 * paste them around a phone number; inside a name they make different texts look alike (Unicode TR 36).
 */

const joiners = '\\u200C\\u200D'
/** Default ignorable and interlinear annotation characters; variation selectors change the preceding character. */
const hidden = `[[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]--[\\p{Variation_Selector}]]`
const hiddenAnywhere = new RegExp(hidden, 'gv')
const hiddenAlone = new RegExp(`^${hidden}$`, 'v')
const hiddenOrSpace = new RegExp(`^(?:${hidden}|\\s)$`, 'v')
const hiddenButJoiners = new RegExp(`[${hidden}--[${joiners}]]`, 'v')
const joiner = new RegExp(`[${joiners}]`, 'gv')
/** A variation selector needs a visible character before it. */
const loneSelector = /(?:^|[\s\p{Variation_Selector}])\p{Variation_Selector}/v

/** Scripts whose spelling needs joiners: Arabic of Persian and its neighbours, and the Indic and Mongolian ones. */
const joiningScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/v
/** Joiners occur in emoji too. */
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/v

/** Returns the text without hidden characters, for phone numbers, IBANs and postcodes. */
export function withoutHidden(text: string): string {
  return text.replace(hiddenAnywhere, '')
}

/** Returns the text without hidden characters, and optionally spaces, at its ends. Takes time linear in its length. */
export function trimHidden(text: string, spacesToo = true): string {
  const cut = spacesToo ? hiddenOrSpace : hiddenAlone
  let [start, end] = [0, text.length]
  for (let sign = characterAt(text, start); sign !== '' && cut.test(sign); sign = characterAt(text, start))
    start += sign.length
  for (let sign = characterBefore(text, end); end > start && cut.test(sign); sign = characterBefore(text, end))
    end -= sign.length
  return text.slice(start, end)
}

/** Returns whether the text contains a hidden character that no script needs there. */
export function hasHidden(text: string): boolean {
  if (hiddenButJoiners.test(text) || loneSelector.test(text)) return true
  return [...text.matchAll(joiner)].some(({ index }) => {
    const [before, after] = [characterBefore(text, index), characterAt(text, index + 1)]
    return !(
      (joiningScript.test(before) && joiningScript.test(after)) ||
      (pictograph.test(before) && pictograph.test(after))
    )
  })
}

/** Returns the code point that begins at a position, or '' after the end. */
function characterAt(text: string, place: number): string {
  const point = text.codePointAt(place)
  return point === undefined ? '' : String.fromCodePoint(point)
}

/** Returns the code point that ends before a position, or '' before the beginning. */
function characterBefore(text: string, place: number): string {
  const last = text.slice(Math.max(0, place - 2), place)
  return last.length === 2 && (last.codePointAt(0) ?? 0) > 0xffff ? last : last.slice(-1)
}
