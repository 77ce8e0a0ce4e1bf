/** Detects which of the product's languages a text is in, by short words that occur in only one of them. */
const marks = {
  en: 'a and are at be but by can cannot could did do does for from has have if is it its no not of on or our please that the their there these this to we were with you your',
  de: 'aber auch auf aus bei bis bitte das dass dem den der des die ein eine einem einen einer eines es für haben hat ihr ihre ihrem ihren ihrer im ist kein keine keinen mit nach nicht noch nur oder sich sie sind um und uns von vom war wenn wird wir wurde zu zum zur',
} as const
type Language = keyof typeof marks
const [english, german] = [new Set(marks.en.split(' ')), new Set(marks.de.split(' '))]

/** Returns null if neither outweighs the other: a name, a number, a single word. */
export function detectLanguage(text: string): Language | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const en = words.filter((word) => english.has(word)).length
  const de = words.filter((word) => german.has(word) || /[äöüß]/.test(word)).length
  if (en === de) return null
  return en > de ? 'en' : 'de'
}
