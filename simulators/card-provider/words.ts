/** What a person reads on the hosted page, in both languages. */

export const words = {
  en: {
    title: 'Simulator of a card provider',
    honest: 'This page stands in for a real card provider. No card is charged, no number leaves this computer.',
    payTo: 'Payment to the broker',
    reference: 'Reference',
    number: 'Card number',
    expiry: 'Valid until',
    code: 'Security code',
    holder: 'Name on card',
    account: 'You will be asked to agree at your bank. Here, choose what the bank says.',
    answer: 'What shall the bank answer?',
    pay: 'Approve the payment',
    challenge: 'Approve after 3-D Secure',
    decline: 'Decline the payment',
    close: 'Approve, but the tab is closed before returning',
    pend: 'Leave it undecided for now',
    submit: 'Pay',
    cancel: 'Cancel and go back',
    secureTitle: 'Your bank asks',
    secure: 'Confirm this payment with the code 123456. Any other code is refused.',
    secureCode: 'One-time code',
    confirm: 'Confirm',
    refuse: 'I do not know this payment',
    closedTitle: 'Imagine that this tab was closed',
    closed: 'The payment was approved, and nobody returned to the shop. You may close this tab now.',
    doneTitle: 'This checkout is closed',
    done: 'It was already decided, or it was open for more than two hours.',
    product: 'Pay by',
  },
  de: {
    title: 'Simulator eines Kartenanbieters',
    honest:
      'Diese Seite steht für einen echten Kartenanbieter. Keine Karte wird belastet, keine Nummer verlässt diesen Rechner.',
    payTo: 'Zahlung an den Broker',
    reference: 'Referenz',
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    code: 'Prüfnummer',
    holder: 'Name auf der Karte',
    account: 'Sie würden bei Ihrer Bank um Zustimmung gebeten. Wählen Sie hier, was die Bank sagt.',
    answer: 'Was soll die Bank antworten?',
    pay: 'Zahlung genehmigen',
    challenge: 'Nach 3-D Secure genehmigen',
    decline: 'Zahlung ablehnen',
    close: 'Genehmigen, doch der Tab wird vor der Rückkehr geschlossen',
    pend: 'Vorerst unentschieden lassen',
    submit: 'Bezahlen',
    cancel: 'Abbrechen und zurück',
    secureTitle: 'Ihre Bank fragt nach',
    secure: 'Bestätigen Sie diese Zahlung mit dem Code 123456. Jeder andere wird abgelehnt.',
    secureCode: 'Einmalcode',
    confirm: 'Bestätigen',
    refuse: 'Ich kenne diese Zahlung nicht',
    closedTitle: 'Stellen Sie sich vor, der Tab wäre geschlossen worden',
    closed: 'Die Zahlung ist genehmigt, und niemand kam zum Shop zurück. Sie können diesen Tab jetzt schließen.',
    doneTitle: 'Dieser Bezahlvorgang ist abgeschlossen',
    done: 'Er wurde bereits entschieden oder war länger als zwei Stunden offen.',
    product: 'Bezahlen mit',
  },
} as const

export type Words = (typeof words)[keyof typeof words]

export function wordsFor(locale: string): { language: string; words: Words } {
  return locale.startsWith('de') ? { language: 'de', words: words.de } : { language: 'en', words: words.en }
}
