/** What is handed out when a client asks for the data that is kept about them (GDPR article 15; requirements 24.7, 24.59). */

/** What is never handed out: anything about these, and no name of another person. */
export const withheldTopics = ['screening', 'hold', 'report', 'person'] as const
export type WithheldTopic = (typeof withheldTopics)[number]

/** Words in English and German that point to a topic. */
const words: Readonly<Record<WithheldTopic, RegExp>> = {
  screening:
    /\b(screen\w*|sanction\w*|sanktion\w*|pep|adverse media|true match|false positive|treffer\w*|fehltreffer)\b/iu,
  hold: /\b(on hold|hold|frozen|freez\w*|block(ed|ing)?|gesperrt\w*|sperr\w+)\b/iu,
  report:
    /\b(suspicio\w*|launder\w*|report(ed|s|ing)?|sars?|nca|fiu|verdacht\w*|geldwäsche\w*|gemeldet|meldung\w*)\b/iu,
  // A colleague named with @, an email address, the number of a client.
  person: /@|\b(client|kunde|kundin)\s+(number\s+|nummer\s+)?\d{3,}/iu,
}

/** Returns what a text of staff may be about: a hint for the person who reads it, which finds words and no meaning. */
export function topicsIn(text: string): WithheldTopic[] {
  return withheldTopics.filter((topic) => words[topic].test(text))
}

/** Returns true if each text is marked once, as handed out or withheld, and nothing else is. */
export function marksAll(
  texts: readonly string[],
  { handedOut, withheld }: { readonly handedOut: readonly string[]; readonly withheld: readonly string[] },
): boolean {
  const marks = [...handedOut, ...withheld]
  const marked = new Set(marks)
  return marks.length === texts.length && marked.size === marks.length && texts.every((id) => marked.has(id))
}
