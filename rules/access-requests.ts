/** The answer to a client's request for their personal data (GDPR article 15; requirements 24.7, 24.59). */

/** Topics that are always withheld, and names of other people. */
export const withheldTopics = ['screening', 'hold', 'report', 'person'] as const
export type WithheldTopic = (typeof withheldTopics)[number]

/** English and German words that indicate a topic. */
const topicPatterns: Readonly<Record<WithheldTopic, RegExp>> = {
  screening:
    /\b(screen\w*|sanction\w*|sanktion\w*|pep|adverse media|true match|false positive|treffer\w*|fehltreffer)\b/iu,
  hold: /\b(on hold|hold|frozen|freez\w*|block(ed|ing)?|gesperrt\w*|sperr\w+)\b/iu,
  report:
    /\b(suspicio\w*|launder\w*|report(ed|s|ing)?|sars?|nca|fiu|verdacht\w*|geldwäsche\w*|gemeldet|meldung\w*)\b/iu,
  // A colleague mentioned with @, an email address, a client number.
  person: /@|\b(client|kunde|kundin)\s+(number\s+|nummer\s+)?\d{3,}/iu,
}

/** Returns the topics that a text of staff may be about. Only a hint for the reader: it finds words, not meanings. */
export function topicsIn(text: string): WithheldTopic[] {
  return withheldTopics.filter((topic) => topicPatterns[topic].test(text))
}

/** Returns true if each text is marked exactly once, as released or withheld, and nothing else is marked. */
export function isEachTextMarkedOnce(
  texts: readonly string[],
  { handedOut, withheld }: { readonly handedOut: readonly string[]; readonly withheld: readonly string[] },
): boolean {
  const marks = [...handedOut, ...withheld]
  const marked = new Set(marks)
  return marks.length === texts.length && marked.size === marks.length && texts.every((id) => marked.has(id))
}
