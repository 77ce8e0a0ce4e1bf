/** Texts of the hosted page in both languages. */

const words = {
  en: {
    title: 'Card provider simulator',
    honest: 'This page simulates a card provider. No card is charged. No card number leaves this computer.',
    payTo: 'Payment to the broker',
    reference: 'Reference',
    number: 'Card number',
    expiry: 'Valid until',
    code: 'Security code',
    holder: 'Name on card',
    account: 'Your bank would ask you to approve the payment. Choose its response here.',
    answer: 'Bank response',
    pay: 'Approve payment',
    challenge: 'Approve after 3-D Secure',
    decline: 'Decline payment',
    close: 'Approve and close the tab before returning',
    pend: 'Leave the payment pending',
    submit: 'Pay',
    cancel: 'Cancel and go back',
    secureTitle: 'Bank confirmation',
    secure: 'Confirm this payment with the code 123456. Any other code is declined.',
    secureCode: 'One-time code',
    confirm: 'Confirm',
    refuse: 'I do not recognise this payment',
    closedTitle: 'Simulation of a closed tab',
    closed: 'The payment was approved, but the customer did not return to the portal. You can close this tab now.',
    doneTitle: 'This checkout is closed',
    done: 'The payment has already been decided or has expired after 2 hours.',
    product: 'Pay by',
  },
  de: {
    title: 'Simulator eines Kartenanbieters',
    honest:
      'Diese Seite simuliert einen Kartenanbieter. Keine Karte wird belastet. Keine Kartennummer verlässt diesen Rechner.',
    payTo: 'Zahlung an den Broker',
    reference: 'Referenz',
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    code: 'Prüfnummer',
    holder: 'Name auf der Karte',
    account: 'Ihre Bank würde Sie um Freigabe der Zahlung bitten. Wählen Sie hier die Antwort der Bank.',
    answer: 'Antwort der Bank',
    pay: 'Zahlung freigeben',
    challenge: 'Nach 3-D Secure freigeben',
    decline: 'Zahlung ablehnen',
    close: 'Freigeben, Tab wird vor der Rückkehr geschlossen',
    pend: 'Zahlung offen lassen',
    submit: 'Bezahlen',
    cancel: 'Abbrechen und zurück',
    secureTitle: 'Bestätigung der Bank',
    secure: 'Bestätigen Sie diese Zahlung mit dem Code 123456. Jeder andere wird abgelehnt.',
    secureCode: 'Einmalcode',
    confirm: 'Bestätigen',
    refuse: 'Ich kenne diese Zahlung nicht',
    closedTitle: 'Simulation eines geschlossenen Tabs',
    closed:
      'Die Zahlung wurde freigegeben, der Kunde ist aber nicht ins Portal zurückgekehrt. Sie können diesen Tab jetzt schließen.',
    doneTitle: 'Dieser Bezahlvorgang ist abgeschlossen',
    done: 'Die Zahlung wurde bereits entschieden oder ist nach 2 Stunden abgelaufen.',
    product: 'Bezahlen mit',
  },
} as const

type Words = (typeof words)[keyof typeof words]

export function wordsFor(locale: string): { language: string; words: Words } {
  return locale.startsWith('de') ? { language: 'de', words: words.de } : { language: 'en', words: words.en }
}
