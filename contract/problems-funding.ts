/** Refusals of trading accounts, bank details, funding and the professional application. */
export const fundingProblems = {
  // Trading accounts.
  'declaration-first': {
    status: 403,
    en: 'Accept the Client Assets Declaration first.',
    de: 'Nehmen Sie zuerst die Erklärung zu Kundengeldern an.',
  },
  'account-unknown': {
    status: 404,
    en: 'This trading account does not exist. Choose one from the list.',
    de: 'Dieses Handelskonto gibt es nicht. Wählen Sie eines aus der Liste.',
  },
  'account-not-approved': {
    status: 409,
    en: 'This trading account is not open. Choose another one.',
    de: 'Dieses Handelskonto ist nicht aktiv. Wählen Sie ein anderes.',
  },
  'new-accounts-closed': {
    status: 409,
    en: 'You cannot open new trading accounts.',
    de: 'Neue Handelskonten sind nicht möglich.',
  },
  'platform-closed': {
    status: 409,
    en: 'You cannot open new accounts on this platform at the moment. Choose the other platform.',
    de: 'Auf dieser Plattform sind derzeit keine neuen Konten möglich. Wählen Sie die andere.',
  },
  'balance-for-demo-only': {
    status: 400,
    en: 'A starting balance is only for demo accounts. Leave it out for a live account.',
    de: 'Ein Startguthaben gibt es nur bei Demokonten. Lassen Sie es bei einem Livekonto weg.',
  },
  'demo-balance-required': {
    status: 400,
    en: 'Choose the starting balance of the demo account.',
    de: 'Wählen Sie das Startguthaben des Demokontos.',
  },
  'leverage-not-allowed': {
    status: 400,
    en: 'This leverage is not available for this account. Choose one from the list.',
    de: 'Dieser Hebel ist für dieses Konto nicht verfügbar. Wählen Sie einen aus der Liste.',
  },
  'leverage-unchanged': {
    status: 400,
    en: 'The account already has this leverage. Choose another one.',
    de: 'Das Konto hat bereits diesen Hebel. Wählen Sie einen anderen.',
  },
  'leverage-pending': {
    status: 409,
    en: 'A leverage change for this account is already pending. We will email you our decision.',
    de: 'Eine Änderung des Hebels ist für dieses Konto bereits beantragt. Wir senden Ihnen unsere Entscheidung per E-Mail.',
  },
  'leverage-closed': {
    status: 409,
    en: 'You can no longer change the leverage.',
    de: 'Der Hebel kann nicht mehr geändert werden.',
  },
  'nickname-invalid': {
    status: 400,
    en: 'A nickname can have up to 30 letters, digits, spaces or hyphens.',
    de: 'Ein Kurzname kann bis zu 30 Buchstaben, Ziffern, Leerzeichen oder Bindestriche enthalten.',
  },
  'trading-password-weak': {
    status: 400,
    en: 'A trading password has 8 to 15 characters with lowercase and uppercase letters, a digit and a special character.',
    de: 'Ein Handelspasswort hat 8 bis 15 Zeichen mit Klein- und Großbuchstaben, einer Ziffer und einem Sonderzeichen.',
  },
  'password-shown': {
    status: 409,
    en: 'The first password has already been viewed or has expired. Set a new one under SETTINGS.',
    de: 'Das erste Passwort wurde bereits angezeigt oder ist abgelaufen. Legen Sie unter EINSTELLUNGEN ein neues fest.',
  },

  // Bank details.
  'bank-fields-required': {
    status: 400,
    en: 'You must fill all mandatory fields.',
    de: 'Sie müssen alle Pflichtfelder ausfüllen.',
  },
  'bank-statement-required': {
    status: 400,
    en: 'You must upload bank statement.',
    de: 'Sie müssen einen Kontoauszug hochladen.',
  },
  'account-number-invalid': {
    status: 400,
    en: 'A British account number has 8 digits.',
    de: 'Eine britische Kontonummer hat 8 Ziffern.',
  },
  'sort-code-invalid': {
    status: 400,
    en: 'A sort code has 6 digits, such as 20-00-00.',
    de: 'Ein Sort Code hat 6 Ziffern, etwa 20-00-00.',
  },
  'iban-invalid': {
    status: 400,
    en: 'This IBAN is not valid. Check that you entered it correctly.',
    de: 'Diese IBAN ist ungültig. Prüfen Sie Ihre Eingabe.',
  },
  'swift-invalid': {
    status: 400,
    en: 'A SWIFT/BIC has 8 or 11 characters, such as DEUTDEFF.',
    de: 'Ein SWIFT/BIC hat 8 oder 11 Zeichen, etwa DEUTDEFF.',
  },
  'iban-other-country': {
    status: 400,
    en: 'The IBAN and the country of the bank do not match. Check both. If they are correct, confirm them.',
    de: 'IBAN und Land der Bank stimmen nicht überein. Prüfen Sie beide Angaben. Wenn sie richtig sind, bestätigen Sie sie.',
  },
  'not-for-country': {
    status: 400,
    en: 'Banks in this country do not use this field. Leave it empty.',
    de: 'Dieses Feld wird bei Banken dieses Landes nicht verwendet. Lassen Sie es leer.',
  },
  'bank-read-only': {
    status: 409,
    en: 'To protect your money, approved bank details cannot be changed. Add a new bank account instead.',
    de: 'Zum Schutz Ihres Geldes lassen sich freigegebene Bankverbindungen nicht ändern. Fügen Sie stattdessen ein neues Bankkonto hinzu.',
  },

  // Funding.
  'deposits-closed': {
    status: 409,
    en: 'Deposits are not available. You can still withdraw.',
    de: 'Einzahlungen sind nicht möglich. Auszahlungen sind weiterhin möglich.',
  },
  'deposit-too-low': {
    status: 400,
    en: 'Amount too low',
    de: 'Betrag zu niedrig',
  },
  'announced-too-much': {
    status: 409,
    en: 'You have expected bank transfers of {sum} that have not arrived. With this deposit you would exceed the maximum of {most}. Enter a smaller amount, or wait until your transfers arrive.',
    de: 'Überweisungen über {sum} sind noch nicht eingegangen. Mit dieser Einzahlung wäre das Maximum von {most} überschritten. Geben Sie einen kleineren Betrag ein oder warten Sie, bis Ihre Überweisungen eingegangen sind.',
  },
  'transfer-too-low': {
    status: 400,
    en: 'Amount too low. The minimum transfer is {minimum}.',
    de: 'Betrag zu niedrig. Die Mindestumbuchung beträgt {minimum}.',
  },
  'withdrawal-too-low': {
    status: 400,
    en: 'Amount too low. The minimum withdrawal is {minimum}.',
    de: 'Betrag zu niedrig. Die Mindestauszahlung beträgt {minimum}.',
  },
  'more-than-balance': {
    status: 400,
    en: 'You cannot withdraw more than your account balance!',
    de: 'Sie können nicht mehr auszahlen lassen als Ihren Kontosaldo!',
  },
  'more-than-available': {
    status: 400,
    en: 'You cannot withdraw more than is available: {available}. {reserved} is set aside for other requests.',
    de: 'Sie können nicht mehr auszahlen lassen, als verfügbar ist: {available}. {reserved} sind für andere Aufträge reserviert.',
  },
  'transfer-more-than-balance': {
    status: 400,
    en: 'You cannot transfer more than your account balance!',
    de: 'Sie können nicht mehr umbuchen als Ihren Kontosaldo!',
  },
  'transfer-more-than-available': {
    status: 400,
    en: 'You cannot transfer more than is available: {available}. {reserved} is set aside for other requests.',
    de: 'Sie können nicht mehr umbuchen, als verfügbar ist: {available}. {reserved} sind für andere Aufträge reserviert.',
  },
  'fee-over-amount': {
    status: 400,
    en: 'The amount must be higher than the fee of {fee}. Enter a larger amount.',
    de: 'Der Betrag muss höher sein als die Gebühr von {fee}. Geben Sie einen höheren Betrag ein.',
  },
  'no-balance': {
    status: 400,
    en: 'This account has no funds. Fund it first.',
    de: 'Auf diesem Konto ist kein Guthaben. Zahlen Sie zuerst ein.',
  },
  'currency-not-account': {
    status: 400,
    en: 'Choose the currency of the account.',
    de: 'Wählen Sie die Währung des Kontos.',
  },
  'demo-account': {
    status: 400,
    en: 'You cannot use a demo account for payments. Choose a live account.',
    de: 'Mit einem Demokonto sind keine Zahlungen möglich. Wählen Sie ein Livekonto.',
  },
  'same-account': { status: 400, en: 'Choose two different accounts.', de: 'Wählen Sie zwei verschiedene Konten.' },
  'method-not-offered': {
    status: 400,
    en: 'This payment method is not available in your country. Choose another one.',
    de: 'Diese Zahlungsart ist in Ihrem Land nicht verfügbar. Wählen Sie eine andere.',
  },
  'card-type-required': { status: 400, en: 'Choose your card type.', de: 'Wählen Sie Ihre Kartenart.' },
  'bank-currency': {
    status: 400,
    en: 'This bank account and the trading account have different currencies. Choose a bank account in the same currency.',
    de: 'Bankkonto und Handelskonto haben verschiedene Währungen. Wählen Sie ein Bankkonto in derselben Währung.',
  },
  'bank-not-approved': {
    status: 409,
    en: 'This bank account is not approved yet. Choose another one, or wait for our mail.',
    de: 'Dieses Bankkonto ist noch nicht freigegeben. Wählen Sie ein anderes, oder warten Sie auf unsere E-Mail.',
  },
  'wire-account-missing': {
    status: 409,
    en: 'We have no bank account for wires in {currency} at the moment. Choose another way.',
    de: 'Für Überweisungen in {currency} haben wir im Augenblick kein Bankkonto. Wählen Sie einen anderen Weg.',
  },
  'no-rate': {
    status: 409,
    en: 'No exchange rate is available for these currencies. Try again later, or choose an account in the same currency.',
    de: 'Für diese Währungen ist derzeit kein Wechselkurs verfügbar. Versuchen Sie es später erneut oder wählen Sie ein Konto in derselben Währung.',
  },
  'rate-changed': {
    status: 409,
    en: 'The exchange rate has changed. The credited amount would now be {arrives}. Check it, then confirm again.',
    de: 'Der Wechselkurs hat sich geändert. Gutgeschrieben würden jetzt {arrives}. Prüfen Sie den Betrag und bestätigen Sie erneut.',
  },
  'payment-refused': {
    status: 422,
    en: 'The payment failed: {reason} You have not been charged.',
    de: 'Die Zahlung ist fehlgeschlagen: {reason} Es wurde nichts abgebucht.',
  },
  'payment-not-credited': {
    status: 422,
    en: 'We received your payment but could not credit your account: {reason} We have your money and will credit or return it. We will email you.',
    de: 'Ihre Zahlung ist eingegangen, aber die Gutschrift war nicht möglich: {reason} Das Geld ist bei uns. Wir schreiben es gut oder überweisen es zurück und informieren Sie.',
  },
  'provider-unavailable': {
    status: 503,
    en: 'The payment provider is not responding. You have not been charged. Try again in a minute.',
    de: 'Der Zahlungsanbieter antwortet nicht. Es wurde nichts abgebucht. Versuchen Sie es in einer Minute erneut.',
  },
  'payment-under-way': {
    status: 409,
    en: 'You can no longer cancel this payment because the payment provider is processing it. Do not pay again. We will email you the result.',
    de: 'Diese Zahlung wird beim Zahlungsanbieter bearbeitet und kann nicht mehr storniert werden. Zahlen Sie nicht noch einmal. Das Ergebnis senden wir Ihnen per E-Mail.',
  },
  'payment-not-closed': {
    status: 503,
    en: 'The payment provider is not responding. The payment was not cancelled. Try again in a minute.',
    de: 'Der Zahlungsanbieter antwortet nicht. Die Zahlung wurde nicht storniert. Versuchen Sie es in einer Minute erneut.',
  },

  // Professional client status.
  'applications-disabled': {
    status: 409,
    en: 'You cannot apply for professional client status at the moment. Try again later.',
    de: 'Anträge auf Einstufung als professioneller Kunde sind derzeit nicht möglich. Versuchen Sie es später erneut.',
  },
  'already-professional': {
    status: 409,
    en: 'You are already a Professional Client.',
    de: 'Sie sind bereits professioneller Kunde.',
  },
  'application-exists': {
    status: 409,
    en: 'You have already submitted your application. We will email you our decision.',
    de: 'Sie haben Ihren Antrag bereits gesendet. Unsere Entscheidung senden wir Ihnen per E-Mail.',
  },
  'not-asked': {
    status: 400,
    en: 'This question does not apply to your other answers. Leave it out.',
    de: 'Diese Frage entfällt nach Ihren anderen Antworten. Lassen Sie sie weg.',
  },
} as const
