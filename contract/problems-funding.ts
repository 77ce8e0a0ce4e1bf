/** Refusals of trading accounts, bank details, funding and the professional application. */
import type { ProblemText } from './problems.ts'

export const fundingProblems = {
  // Trading accounts.
  'declaration-first': {
    status: 403,
    en: 'Accept the Client Assets Declaration first.',
    de: 'Bestätigen Sie zuerst die Erklärung zu Kundengeldern.',
  },
  'account-unknown': {
    status: 404,
    en: 'This trading account does not exist. Choose one from the list.',
    de: 'Dieses Handelskonto gibt es nicht. Wählen Sie eines aus der Liste.',
  },
  'account-not-approved': {
    status: 409,
    en: 'This trading account is not approved. Choose one that is open.',
    de: 'Dieses Handelskonto ist nicht freigegeben. Wählen Sie eines, das eröffnet ist.',
  },
  'new-accounts-closed': {
    status: 409,
    en: 'New trading accounts are closed.',
    de: 'Neue Handelskonten werden nicht mehr eröffnet.',
  },
  'platform-closed': {
    status: 409,
    en: 'We open no new accounts on this platform at the moment. Choose the other one.',
    de: 'Auf dieser Plattform eröffnen wir zurzeit keine neuen Konten. Wählen Sie die andere.',
  },
  'balance-for-demo-only': {
    status: 400,
    en: 'Only a demo account starts with a balance. Leave the balance out for a live one.',
    de: 'Nur ein Demokonto beginnt mit einem Guthaben. Lassen Sie es bei einem Livekonto weg.',
  },
  'demo-balance-required': {
    status: 400,
    en: 'Choose the balance of the demo account.',
    de: 'Wählen Sie das Guthaben des Demokontos.',
  },
  'leverage-not-allowed': {
    status: 400,
    en: 'This leverage is not open to you on this account. Choose one from the list.',
    de: 'Dieser Hebel steht Ihnen auf diesem Konto nicht offen. Wählen Sie einen aus der Liste.',
  },
  'leverage-unchanged': {
    status: 400,
    en: 'The account has this leverage already. Choose another one.',
    de: 'Das Konto hat diesen Hebel schon. Wählen Sie einen anderen.',
  },
  'leverage-pending': {
    status: 409,
    en: 'A change of the leverage is being decided already. We write to you as soon as it is.',
    de: 'Über eine Änderung des Hebels wird schon entschieden. Wir schreiben Ihnen, sobald das geschehen ist.',
  },
  'leverage-closed': {
    status: 409,
    en: 'The leverage cannot be changed any more.',
    de: 'Der Hebel kann nicht mehr geändert werden.',
  },
  'nickname-invalid': {
    status: 400,
    en: 'A nickname has 1 to 30 letters, digits, spaces or hyphens.',
    de: 'Ein Kurzname hat 1 bis 30 Buchstaben, Ziffern, Leerzeichen oder Bindestriche.',
  },
  'trading-password-weak': {
    status: 400,
    en: 'A trading password has 8 to 15 characters with small and capital letters, a digit and a special character.',
    de: 'Ein Handelspasswort hat 8 bis 15 Zeichen mit Klein- und Großbuchstaben, einer Ziffer und einem Sonderzeichen.',
  },
  'password-shown': {
    status: 409,
    en: 'The first password was shown already or is gone. Set a new one under SETTINGS.',
    de: 'Das erste Passwort wurde schon gezeigt oder ist gelöscht. Setzen Sie unter EINSTELLUNGEN ein neues.',
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
    en: 'This IBAN is not right. Check it digit by digit.',
    de: 'Diese IBAN stimmt nicht. Prüfen Sie sie Ziffer für Ziffer.',
  },
  'swift-invalid': {
    status: 400,
    en: 'A SWIFT/BIC has 8 or 11 characters, such as DEUTDEFF.',
    de: 'Ein SWIFT/BIC hat 8 oder 11 Zeichen, etwa DEUTDEFF.',
  },
  'iban-other-country': {
    status: 400,
    en: 'This IBAN belongs to another country than the bank. Check both. If they are correct, confirm it.',
    de: 'Diese IBAN gehört zu einem anderen Land als die Bank. Prüfen Sie beides. Wenn die Angaben stimmen, bestätigen Sie das.',
  },
  'not-for-country': {
    status: 400,
    en: 'This is not used for banks of this country. Leave it empty.',
    de: 'Diese Angabe gibt es bei Banken dieses Landes nicht. Lassen Sie sie leer.',
  },
  'bank-read-only': {
    status: 409,
    en: 'Approved bank details cannot be changed. Add the new account instead.',
    de: 'Freigegebene Bankdaten können nicht geändert werden. Fügen Sie stattdessen das neue Konto hinzu.',
  },

  // Funding.
  'deposits-closed': {
    status: 409,
    en: 'Deposits are closed. Withdrawals stay open.',
    de: 'Einzahlungen sind geschlossen. Auszahlungen bleiben möglich.',
  },
  'deposit-too-low': {
    status: 400,
    en: 'Amount too low',
    de: 'Betrag zu niedrig',
  },
  'announced-too-much': {
    status: 409,
    en: 'You have announced {sum} by bank transfer that has not arrived yet. With this deposit it would be more than the maximum of {most}. Enter a smaller amount, or wait until your transfers arrive.',
    de: 'Sie haben {sum} per Überweisung angekündigt, die noch nicht eingegangen sind. Mit dieser Einzahlung wäre das Maximum von {most} überschritten. Geben Sie einen kleineren Betrag ein, oder warten Sie, bis Ihre Überweisungen eingegangen sind.',
  },
  'transfer-too-low': {
    status: 400,
    en: 'Amount too low. The smallest transfer is {minimum}.',
    de: 'Betrag zu niedrig. Die kleinste Umbuchung ist {minimum}.',
  },
  'withdrawal-too-low': {
    status: 400,
    en: 'Amount too low. The smallest withdrawal is {minimum}.',
    de: 'Betrag zu niedrig. Die kleinste Auszahlung ist {minimum}.',
  },
  'more-than-balance': {
    status: 400,
    en: 'You cannot withdraw more than your account balance!',
    de: 'Sie können nicht mehr auszahlen, als Ihr Konto enthält!',
  },
  'more-than-available': {
    status: 400,
    en: 'You cannot withdraw more than is available: {available}. {reserved} is set aside for other requests.',
    de: 'Sie können nicht mehr auszahlen, als verfügbar ist: {available}. {reserved} sind für andere Aufträge zurückgelegt.',
  },
  'transfer-more-than-balance': {
    status: 400,
    en: 'You cannot transfer more than your account balance!',
    de: 'Sie können nicht mehr umbuchen, als Ihr Konto enthält!',
  },
  'transfer-more-than-available': {
    status: 400,
    en: 'You cannot transfer more than is available: {available}. {reserved} is set aside for other requests.',
    de: 'Sie können nicht mehr umbuchen, als verfügbar ist: {available}. {reserved} sind für andere Aufträge zurückgelegt.',
  },
  'fee-over-amount': {
    status: 400,
    en: 'The fee of {fee} is not less than the amount. Choose a larger amount.',
    de: 'Die Gebühr von {fee} ist nicht kleiner als der Betrag. Wählen Sie einen größeren Betrag.',
  },
  'no-balance': {
    status: 400,
    en: 'This account holds no money. Fund it first.',
    de: 'Dieses Konto enthält kein Geld. Zahlen Sie zuerst ein.',
  },
  'currency-not-account': {
    status: 400,
    en: 'The currency must be that of the account.',
    de: 'Die Währung muss die des Kontos sein.',
  },
  'demo-account': {
    status: 400,
    en: 'A demo account takes no part in payments. Choose a live account.',
    de: 'Ein Demokonto nimmt am Zahlungsverkehr nicht teil. Wählen Sie ein Livekonto.',
  },
  'same-account': { status: 400, en: 'Choose two different accounts.', de: 'Wählen Sie zwei verschiedene Konten.' },
  'method-not-offered': {
    status: 400,
    en: 'This payment method is not offered in your country. Choose another one.',
    de: 'Diese Zahlungsart gibt es in Ihrem Land nicht. Wählen Sie eine andere.',
  },
  'card-type-required': { status: 400, en: 'Choose the type of your card.', de: 'Wählen Sie die Art Ihrer Karte.' },
  'bank-currency': {
    status: 400,
    en: 'This bank account is in another currency than the trading account. Choose one in the same currency.',
    de: 'Dieses Bankkonto hat eine andere Währung als das Handelskonto. Wählen Sie eines in derselben Währung.',
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
    en: 'There is no rate between these currencies at the moment. Try again later, or choose an account in the same currency.',
    de: 'Zwischen diesen Währungen gibt es im Augenblick keinen Kurs. Versuchen Sie es später erneut, oder wählen Sie ein Konto in derselben Währung.',
  },
  'rate-changed': {
    status: 409,
    en: 'The rate has changed: {arrives} would arrive now. Look at it, then confirm again.',
    de: 'Der Kurs hat sich geändert: Jetzt kämen {arrives} an. Sehen Sie sich das an und bestätigen Sie erneut.',
  },
  'payment-refused': {
    status: 422,
    en: 'The payment was not made: {reason} Nothing was charged.',
    de: 'Die Zahlung kam nicht zustande: {reason} Es wurde nichts abgebucht.',
  },
  'payment-not-credited': {
    status: 422,
    en: 'Your payment arrived, but the trading account could not take it: {reason} The money is with us. We credit it or send it back, and write to you.',
    de: 'Ihre Zahlung ist da, aber das Handelskonto konnte sie nicht annehmen: {reason} Das Geld ist bei uns. Wir schreiben es gut oder senden es zurück und melden uns.',
  },
  'provider-unavailable': {
    status: 503,
    en: 'The payment provider does not answer at the moment. Nothing was charged; try again in a minute.',
    de: 'Der Zahlungsanbieter antwortet im Augenblick nicht. Es wurde nichts abgebucht; versuchen Sie es in einer Minute erneut.',
  },
  'payment-under-way': {
    status: 409,
    en: 'This payment has been begun at the payment provider, so it cannot be cancelled any more. Do not pay again; we write to you as soon as we know what became of it.',
    de: 'Diese Zahlung ist beim Zahlungsanbieter schon begonnen und kann nicht mehr storniert werden. Zahlen Sie nicht noch einmal; wir schreiben Ihnen, sobald wir wissen, was daraus geworden ist.',
  },
  'payment-not-closed': {
    status: 503,
    en: 'The payment provider does not answer at the moment, so the payment was not cancelled. Try again in a minute.',
    de: 'Der Zahlungsanbieter antwortet im Augenblick nicht, die Zahlung wurde daher nicht storniert. Versuchen Sie es in einer Minute erneut.',
  },

  // Professional client status.
  'applications-disabled': {
    status: 409,
    en: 'Professional client applications are closed at the moment. Try again later.',
    de: 'Anträge auf Einstufung als professioneller Kunde sind zurzeit nicht möglich. Versuchen Sie es später erneut.',
  },
  'already-professional': {
    status: 409,
    en: 'You are a Professional Client already.',
    de: 'Sie sind bereits professioneller Kunde.',
  },
  'application-exists': {
    status: 409,
    en: 'Your application has been sent already. We write to you when it is decided.',
    de: 'Ihr Antrag wurde schon gesendet. Wir schreiben Ihnen, wenn darüber entschieden ist.',
  },
  'not-asked': {
    status: 400,
    en: 'This is not asked after your other answers. Leave it out.',
    de: 'Danach wird nach Ihren anderen Antworten nicht gefragt. Lassen Sie es weg.',
  },
} as const satisfies Record<string, ProblemText>
