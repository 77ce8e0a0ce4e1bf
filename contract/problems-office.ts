/** Refusals of the back office. Each says who may, or what to do. */
export const officeProblems = {
  'own-approval': {
    status: 403,
    en: 'You gave the first approval. Another person must give the second.',
    de: 'Sie haben die erste Freigabe erteilt. Die zweite muss jemand anderes erteilen.',
  },
  'prefix-too-long': {
    status: 400,
    en: 'Enter one to three letters from A to Z. Every reference must fit into a platform comment.',
    de: 'Geben Sie einen bis drei Buchstaben von A bis Z ein. Jede Referenz muss in einen Plattformkommentar passen.',
  },
  'checks-block': {
    status: 409,
    en: 'Blocked by a check. {check}: {what} {wayOut}',
    de: 'Durch eine Prüfung gesperrt. {check}: {what} {wayOut}',
  },
  'checks-changed': {
    status: 409,
    en: 'The checks have changed since you opened this page. Review them and acknowledge the warnings.',
    de: 'Die Prüfungen haben sich geändert, seit Sie diese Seite geöffnet haben. Lesen Sie sie erneut und nehmen Sie die Warnungen zur Kenntnis.',
  },
  'check-not-blocking': {
    status: 409,
    en: 'This check no longer blocks the request. Reload the page.',
    de: 'Diese Prüfung sperrt den Auftrag nicht mehr. Laden Sie die Seite neu.',
  },
  'override-not-allowed': {
    status: 409,
    en: 'This block cannot be overridden.',
    de: 'Für diesen Sperrgrund ist keine Ausnahme möglich.',
  },
  'override-own': {
    status: 403,
    en: 'You entered or approved this request. Another person must override the block.',
    de: 'Sie haben diesen Auftrag erfasst oder freigegeben. Die Ausnahme muss jemand anderes freigeben.',
  },
  'hold-in-force': {
    status: 409,
    en: 'Payments of this client are already on hold. Lift the hold before you set another one.',
    de: 'Die Zahlungen dieses Kunden sind bereits gesperrt. Heben Sie die Sperre auf, bevor Sie eine neue setzen.',
  },
  'hold-over': {
    status: 409,
    en: 'This hold has already ended. Reload the page.',
    de: 'Diese Sperre ist bereits beendet. Laden Sie die Seite neu.',
  },
  'holder-entered': {
    status: 409,
    en: 'The account holder’s name has already been entered. Reload the page.',
    de: 'Der Name des Kontoinhabers wurde bereits erfasst. Laden Sie die Seite neu.',
  },
  'proof-required': {
    status: 400,
    en: 'Choose the evidence file for the payer, for example a letter from the payer.',
    de: 'Wählen Sie den Nachweis zur Herkunft der Zahlung, z. B. ein Schreiben des Auftraggebers.',
  },
  'bank-chosen-and-entered': {
    status: 400,
    en: 'Choose an approved bank account or enter new bank details, not both.',
    de: 'Wählen Sie eine freigegebene Bankverbindung oder erfassen Sie eine neue, nicht beides.',
  },
  'last-balance-state': {
    status: 409,
    en: 'A last balance is entered for suspended, closed and rejected clients. Other clients request a withdrawal themselves.',
    de: 'Ein letztes Guthaben wird für gesperrte, geschlossene und abgelehnte Kunden erfasst. Andere Kunden beantragen eine Auszahlung selbst.',
  },
  'debit-sent': {
    status: 409,
    en: 'The debit has been sent to the platform. Wait for its response.',
    de: 'Die Belastung wurde an die Plattform gesendet. Warten Sie auf die Antwort.',
  },
  'own-override': {
    status: 403,
    en: 'You overrode a block on this request. Another person must decide.',
    de: 'Sie haben bei diesem Auftrag eine Ausnahme freigegeben. Entscheiden muss jemand anderes.',
  },
  'own-act': {
    status: 403,
    en: 'You made this request. Another person must decide.',
    de: 'Sie haben das selbst beantragt. Entscheiden muss jemand anderes.',
  },
  'not-your-act': {
    status: 403,
    en: 'Only the person who made this request can cancel it.',
    de: 'Nur die Person, die den Antrag gestellt hat, kann ihn zurückziehen.',
  },
  'own-request': {
    status: 403,
    en: 'This client has your email address. Another person must decide.',
    de: 'Dieser Kunde hat Ihre E-Mail-Adresse. Entscheiden muss jemand anderes.',
  },
  'awaits-client': {
    status: 409,
    en: 'The client may have cancelled this request after some data was lost. Wait until the client confirms it, or reject it.',
    de: 'Der Kunde hat diesen Auftrag nach einem Datenverlust möglicherweise storniert. Warten Sie auf die Bestätigung des Kunden oder lehnen Sie ihn ab.',
  },
  'no-recovery': {
    status: 409,
    en: 'No recovery is open. Reload the page.',
    de: 'Es läuft kein Abgleich nach Wiederherstellung. Laden Sie die Seite neu.',
  },
  'said-before': {
    status: 409,
    en: 'This has already been confirmed. Reload the page.',
    de: 'Das wurde bereits bestätigt. Laden Sie die Seite neu.',
  },
  'recovery-action': {
    status: 409,
    en: 'This deal cannot be decided yet, because its account or request is not known here. Decide on the finding of its account first, or ask an administrator.',
    de: 'Über diesen Deal kann noch nicht entschieden werden, weil Konto oder Auftrag hier nicht bekannt sind. Entscheiden Sie zuerst über den Befund zum Konto, oder fragen Sie die Administration.',
  },
  'payments-on-hold': {
    status: 409,
    en: 'Payments of this client are on hold. Compliance can lift the hold, or two people of finance refund the payment.',
    de: 'Die Zahlungen dieses Kunden sind gesperrt. Compliance kann die Sperre aufheben, oder zwei Personen aus dem Finanzbereich erstatten die Zahlung.',
  },
  'recovery-credited': {
    status: 409,
    en: 'The platforms show a credit of this payment, or a deposit exists for it. Decide on that one first. Then run recover again.',
    de: 'Die Plattformen zeigen eine Gutschrift dieser Zahlung, oder es gibt eine Einzahlung dafür. Entscheiden Sie zuerst darüber. Führen Sie dann recover erneut aus.',
  },
  'recovery-refunded': {
    status: 409,
    en: 'The payment behind this credit has been refunded or is being refunded. Reverse the credit.',
    de: 'Die Zahlung zu dieser Gutschrift wurde erstattet oder wird gerade erstattet. Buchen Sie die Gutschrift zurück.',
  },
  'recovery-debit-first': {
    status: 409,
    en: 'Decide the deal that took the money out first. This one follows from it.',
    de: 'Entscheiden Sie zuerst über die Abbuchung dieses Auftrags. Diese Buchung folgt daraus.',
  },
  'recovery-arrival-unknown': {
    status: 409,
    en: 'The second part of this transfer was not found and the accounts have different currencies. Choose an account in the same currency.',
    de: 'Der zweite Teil dieser Umbuchung wurde nicht gefunden, und die Konten haben verschiedene Währungen. Wählen Sie ein Konto in derselben Währung.',
  },
  'recovery-statements': {
    status: 409,
    en: 'The statements of at least one bank account do not cover the gap yet. Import them first.',
    de: 'Die Kontoauszüge mindestens eines Bankkontos decken die Lücke noch nicht ab. Importieren Sie sie zuerst.',
  },
  'recovery-balance': {
    status: 409,
    en: 'This is not the last known closing balance. The account has had transactions since. Import its bank statement.',
    de: 'Das ist nicht der letzte bekannte Endsaldo. Das Konto hatte seither Umsätze. Importieren Sie den Kontoauszug.',
  },
  'own-roles': {
    status: 403,
    en: 'You cannot change your own roles. Ask another administrator.',
    de: 'Ihre eigenen Rollen können Sie nicht ändern. Wenden Sie sich an eine andere Person der Administration.',
  },
  'own-account': {
    status: 403,
    en: 'You cannot deactivate yourself or reset your own 2FA. Ask another administrator.',
    de: 'Sie können sich nicht selbst deaktivieren oder Ihre eigene 2FA zurücksetzen. Wenden Sie sich an eine andere Person der Administration.',
  },
  'auditor-alone': {
    status: 400,
    en: 'An auditor cannot have another role. Choose only this role, or the others without it.',
    de: 'Die Revision darf keine andere Rolle haben. Wählen Sie nur diese Rolle oder die anderen ohne sie.',
  },
  'last-administrator': {
    status: 409,
    en: 'You cannot remove the last active administrator. Assign this role to another person first.',
    de: 'Die letzte aktive Person der Administration kann nicht entfernt werden. Geben Sie diese Rolle zuerst einer anderen Person.',
  },
  'second-administrator-missing': {
    status: 409,
    en: 'This needs two active administrators. With fewer, only the operator command line can change it.',
    de: 'Dafür sind zwei aktive Personen in der Administration nötig. Sonst ist die Änderung nur über die Kommandozeile möglich.',
  },
  'staff-known': {
    status: 409,
    en: 'A staff member already has this email address. Change that person’s roles instead.',
    de: 'Diese E-Mail-Adresse ist bereits vergeben. Ändern Sie stattdessen die Rollen dieser Person.',
  },
  'client-known': {
    status: 409,
    en: 'A client with this email address already exists. Search for it under Clients.',
    de: 'Zu dieser E-Mail-Adresse gibt es bereits einen Kunden. Suchen Sie unter Kunden.',
  },
  'export-too-long': {
    status: 422,
    en: 'There are more than {most} rows. Narrow the filters, for example to a few days.',
    de: 'Es sind mehr als {most} Zeilen. Grenzen Sie die Filter ein, z. B. auf einige Tage.',
  },
  'reason-required': { status: 400, en: 'Enter a reason.', de: 'Geben Sie eine Begründung ein.' },
  'identity-not-approved': {
    status: 409,
    en: 'Approve a proof of identity first.',
    de: 'Akzeptieren Sie zuerst einen Identitätsnachweis.',
  },
  'address-not-approved': {
    status: 409,
    en: 'Approve a proof of address first.',
    de: 'Akzeptieren Sie zuerst einen Adressnachweis.',
  },
  'requests-open': {
    status: 409,
    en: 'This client has pending requests. Decide them first.',
    de: 'Dieser Kunde hat offene Anträge. Entscheiden Sie zuerst darüber.',
  },
  'money-left': {
    status: 409,
    en: 'This client still has a balance. Pay it out first.',
    de: 'Dieser Kunde hat noch Guthaben. Zahlen Sie es zuerst aus.',
  },
  'client-lives': {
    status: 409,
    en: 'The relationship with this client has not ended. Close it first.',
    de: 'Die Geschäftsbeziehung besteht noch. Beenden Sie sie zuerst.',
  },
  'factor-reset-waits': {
    status: 409,
    en: 'A 2FA reset has already been requested. Another person must decide.',
    de: 'Die 2FA-Zurücksetzung wurde bereits beantragt. Eine andere Person muss entscheiden.',
  },
  'email-change-waits': {
    status: 409,
    en: 'An email change has already been requested. It must be completed or rejected first.',
    de: 'Eine Änderung der E-Mail-Adresse wurde bereits beantragt. Sie muss zuerst abgeschlossen oder abgelehnt werden.',
  },
  'answer-first': {
    status: 409,
    en: 'Check the client’s security answer first. A correct answer is valid for 15 minutes for the person who checked it.',
    de: 'Prüfen Sie zuerst die Sicherheitsantwort des Kunden. Eine richtige Antwort gilt 15 Minuten für die prüfende Person.',
  },
  'erasure-waits': {
    status: 409,
    en: 'The erasure of this client has already been requested.',
    de: 'Die Löschung dieses Kunden wurde bereits beantragt.',
  },
  'erased-already': {
    status: 409,
    en: 'This client has already been erased.',
    de: 'Dieser Kunde wurde bereits gelöscht.',
  },
  'answer-tries-over': {
    status: 429,
    en: 'There have been too many attempts at the security answer. Try again tomorrow.',
    de: 'Es gab zu viele Versuche bei der Sicherheitsantwort. Versuchen Sie es morgen erneut.',
  },
  'field-not-correctable': {
    status: 400,
    en: 'You cannot correct this field here.',
    de: 'Dieses Feld kann hier nicht berichtigt werden.',
  },
  'available-fell': {
    status: 409,
    en: 'Only {available} is available on the account. Reject this request, or wait until more is available.',
    de: 'Auf dem Konto sind nur {available} verfügbar. Lehnen Sie ab oder warten Sie, bis mehr verfügbar ist.',
  },
  'two-people-decide': {
    status: 409,
    en: 'This discrepancy blocks payouts, so two people must decide. Propose a decision. Another person must confirm it.',
    de: 'Diese Abweichung sperrt Auszahlungen, deshalb entscheiden zwei Personen. Schlagen Sie eine Entscheidung vor. Eine andere Person muss bestätigen.',
  },
  'operation-open': {
    status: 409,
    en: 'The platform has not responded yet. We retry automatically. You do not need to do anything.',
    de: 'Die Plattform hat noch nicht geantwortet. Wir versuchen es automatisch weiter. Sie müssen nichts tun.',
  },
  'resend-too-early': {
    status: 409,
    en: 'Before you resend, two checks 60 seconds apart must show that it is not on the platform.',
    de: 'Vor dem erneuten Senden müssen zwei Prüfungen im Abstand von 60 Sekunden zeigen, dass es auf der Plattform fehlt.',
  },
  'other-currency': {
    status: 400,
    en: 'The currencies are different. Choose one in the same currency.',
    de: 'Die Währungen sind verschieden. Wählen Sie etwas in derselben Währung.',
  },
  'owner-closed': {
    status: 409,
    en: 'The client of this account is closed. Return the money to the sender.',
    de: 'Der Kunde dieses Kontos ist geschlossen. Überweisen Sie das Geld an den Absender zurück.',
  },
  'line-known': {
    status: 409,
    en: 'This payment has already been entered. Search for it in the list.',
    de: 'Diese Zahlung wurde bereits erfasst. Suchen Sie sie in der Liste.',
  },
  'line-outgoing': {
    status: 400,
    en: 'This is an outgoing payment. You can match only incoming payments.',
    de: 'Das ist eine ausgehende Zahlung. Nur eingehende Zahlungen lassen sich zuordnen.',
  },
  'statement-invalid': {
    status: 422,
    en: 'Line {line} of the bank statement could not be read: {reason}. Nothing was imported. Correct the file and import it again.',
    de: 'Zeile {line} des Kontoauszugs war nicht lesbar: {reason}. Es wurde nichts importiert. Berichtigen Sie die Datei und importieren Sie sie erneut.',
  },
  'statement-long': {
    status: 422,
    en: 'The file has more than {most} lines. Nothing was imported. Import it in parts, for example by day.',
    de: 'Die Datei hat mehr als {most} Zeilen. Es wurde nichts importiert. Importieren Sie sie in Teilen, z. B. nach Tagen.',
  },
  'statement-balance': {
    status: 422,
    en: 'The opening balance of {opening} and transactions of {lines} do not match the closing balance of {closing}. The difference is {gap}. Nothing was imported.',
    de: 'Anfangssaldo {opening} und Umsätze von zusammen {lines} ergeben nicht den Endsaldo {closing}. Die Differenz beträgt {gap}. Es wurde nichts importiert.',
  },
  'statement-other-balance': {
    status: 400,
    en: 'The file contains a different balance. Leave this empty, or correct it.',
    de: 'Die Datei enthält einen anderen Saldo. Lassen Sie das Feld leer oder berichtigen Sie es.',
  },
  'statement-other-account': {
    status: 422,
    en: 'The bank statement is for account {account}, not {ours}. Nothing was imported. Choose the other account or another file.',
    de: 'Der Kontoauszug gehört zum Konto {account}, nicht zu {ours}. Es wurde nichts importiert. Wählen Sie das andere Konto oder eine andere Datei.',
  },
  'statement-account-unknown': {
    status: 422,
    en: 'The bank statement is for account {account}, which is not one of the firm’s client money accounts. Nothing was imported. Choose another file.',
    de: 'Der Kontoauszug gehört zum Konto {account}, das kein Kundengeldkonto der Firma ist. Es wurde nichts importiert. Wählen Sie eine andere Datei.',
  },
  'more-than-firms-own': {
    status: 409,
    en: 'Firm money is at most {most}. The rest is client money and must stay.',
    de: 'Firmengelder betragen höchstens {most}. Der Rest ist Kundengeld und muss bleiben.',
  },
  'line-not-free': {
    status: 409,
    en: 'This bank transaction has already been matched. Open it for details.',
    de: 'Dieser Bankumsatz ist bereits zugeordnet. Öffnen Sie ihn für Details.',
  },
  'line-differs': {
    status: 400,
    en: 'The bank transaction has a different amount or currency. Use the values of the bank transaction.',
    de: 'Der Bankumsatz hat einen anderen Betrag oder eine andere Währung. Übernehmen Sie die Werte des Bankumsatzes.',
  },
  'payout-not-returned': {
    status: 409,
    en: 'This payout is marked as paid. Mark the withdrawal as returned first. Another person must then match this transaction.',
    de: 'Diese Auszahlung ist als ausgezahlt markiert. Markieren Sie sie zuerst als Rückläufer. Eine andere Person ordnet dann den Umsatz zu.',
  },
  'payout-has-line': {
    status: 409,
    en: 'This payout is already matched to another bank transaction. Open the withdrawal for details.',
    de: 'Diese Auszahlung ist bereits einem anderen Bankumsatz zugeordnet. Öffnen Sie die Auszahlung für Details.',
  },
  'more-than-payout': {
    status: 400,
    en: 'The received amount is higher than this payout, so it is a different payment.',
    de: 'Der eingegangene Betrag ist höher als diese Auszahlung. Es handelt sich um eine andere Zahlung.',
  },
  'own-return': {
    status: 403,
    en: 'You marked this payout as returned. Another person must match the transaction.',
    de: 'Sie haben diese Auszahlung als Rückläufer markiert. Eine andere Person muss den Umsatz zuordnen.',
  },
  'account-unknown-bank': {
    status: 400,
    en: 'The firm does not have this bank account. Add it in the settings first.',
    de: 'Dieses Bankkonto der Firma gibt es nicht. Legen Sie es zuerst in den Einstellungen an.',
  },
  'in-payout-batch': {
    status: 409,
    en: 'This withdrawal is in a payout batch. Void the batch first.',
    de: 'Diese Auszahlung ist in einem Zahlungslauf. Heben Sie zuerst den Zahlungslauf auf.',
  },
  'reversal-asked': {
    status: 409,
    en: 'The reversal has already been requested. Another person must confirm or withdraw it.',
    de: 'Die Rückbuchung wurde bereits beantragt. Eine andere Person muss sie bestätigen oder verwerfen.',
  },
  'reversal-not-asked': {
    status: 409,
    en: 'No reversal has been requested for this withdrawal.',
    de: 'Für diese Auszahlung ist keine Rückbuchung beantragt.',
  },
  'own-import': {
    status: 403,
    en: 'You imported this bank transaction. Another person must decide.',
    de: 'Sie haben diesen Bankumsatz importiert. Eine andere Person muss entscheiden.',
  },
  'payouts-stopped': {
    status: 409,
    en: 'Payouts are stopped. The bank shows a debit with reference {reference}, which is not in our records. Two finance supervisors must explain it or open recovery.',
    de: 'Auszahlungen sind gestoppt. Die Bank zeigt eine Abbuchung mit der Referenz {reference}, die in unseren Daten fehlt. Zwei Personen der Leitung Finanzen müssen sie begründen oder den Abgleich nach Wiederherstellung öffnen.',
  },
  'payout-not-paid': {
    status: 409,
    en: 'The bank shows a payment for this withdrawal, but it is not marked as paid.',
    de: 'Die Bank zeigt eine Zahlung zu dieser Auszahlung, die hier nicht als ausgezahlt markiert ist.',
  },
  'own-batch': {
    status: 403,
    en: 'You created this batch. Another person must release it.',
    de: 'Sie haben diesen Zahlungslauf erstellt. Eine andere Person muss ihn zur Ausführung freigeben.',
  },
  'approved-in-batch': {
    status: 403,
    en: 'You approved a payment in this batch. Another person who approved none of its payments must release it.',
    de: 'Sie haben eine Zahlung in diesem Zahlungslauf freigegeben. Zur Ausführung freigeben muss ihn eine Person, die keine davon freigegeben hat.',
  },
  'own-release': {
    status: 403,
    en: 'You released this batch. Another person must confirm that the bank has sent it.',
    de: 'Sie haben diesen Zahlungslauf zur Ausführung freigegeben. Eine andere Person muss bestätigen, dass die Bank ihn gesendet hat.',
  },
  'batch-changed': {
    status: 409,
    en: 'The batch has changed: {count} payments, {total}. It has not been released. Review it again.',
    de: 'Der Zahlungslauf hat sich geändert: {count} Zahlungen, {total}. Er wurde nicht zur Ausführung freigegeben. Prüfen Sie ihn erneut.',
  },
  'payout-paid-already': {
    status: 409,
    en: 'The bank has already paid this withdrawal.',
    de: 'Die Bank hat diese Auszahlung bereits ausgezahlt.',
  },
  'recovery-uncovered': {
    status: 409,
    en: 'You cannot reverse this debit yet. The bank may have paid it. Import the bank statements up to the day shown under Recovery. Then decide.',
    de: 'Diese Belastung kann noch nicht zurückgebucht werden. Die Bank hat sie möglicherweise ausgezahlt. Importieren Sie die Kontoauszüge bis zu dem unter Wiederherstellung angezeigten Tag. Entscheiden Sie dann.',
  },
  'recovery-paid-out': {
    status: 409,
    en: 'You cannot reverse this debit. A bank statement shows its payment. Adopt it.',
    de: 'Diese Belastung kann nicht zurückgebucht werden. Ein Kontoauszug zeigt ihre Auszahlung. Übernehmen Sie sie.',
  },
  'recovery-line-needed': {
    status: 409,
    en: 'This bank transaction does not match the deposit. Choose one with the amount of the deal and its fee.',
    de: 'Dieser Bankumsatz passt nicht zur Einzahlung. Wählen Sie einen mit dem Betrag des Deals und seiner Gebühr.',
  },
  'line-of-adopted': {
    status: 409,
    en: 'This payment may belong to deposit {reference}, which recovery adopted and which has already been credited. Match it to that deposit first.',
    de: 'Diese Zahlung gehört möglicherweise zur Einzahlung {reference}, die bei der Wiederherstellung übernommen und bereits gutgeschrieben wurde. Ordnen Sie sie zuerst dieser Einzahlung zu.',
  },
  'recovery-choice': {
    status: 400,
    en: 'This decision is not possible for this finding. Choose another one.',
    de: 'Diese Entscheidung ist bei diesem Befund nicht möglich. Wählen Sie eine andere.',
  },
  'recovery-group': {
    status: 409,
    en: 'This account is in no group of our live accounts, so it cannot be linked to a client. Keep it disabled, or move it to the right group at the platform and run recover again.',
    de: 'Dieses Konto ist in keiner Gruppe unserer Livekonten und kann deshalb keinem Kunden zugeordnet werden. Lassen Sie es deaktiviert, oder verschieben Sie es an der Plattform in die richtige Gruppe und führen Sie recover erneut aus.',
  },
  'client-unknown': {
    status: 404,
    en: 'No approved client has this email address. Check it in the client list.',
    de: 'Kein genehmigter Kunde hat diese E-Mail-Adresse. Prüfen Sie sie in der Kundenliste.',
  },
  'account-known': {
    status: 409,
    en: 'A record has this account by now. Drop the proposal; the next run of recover closes the finding.',
    de: 'Inzwischen gibt es einen Datensatz zu diesem Konto. Verwerfen Sie den Vorschlag; der nächste Lauf von recover schließt den Befund.',
  },
  'bank-number-needed': {
    status: 400,
    en: 'Check the bank and enter the number of the last payout batch in this currency, for example PB-000041. Enter 0 if there is none.',
    de: 'Prüfen Sie bei der Bank die Nummer des letzten Zahlungslaufs in dieser Währung und geben Sie sie ein, z. B. PB-000041. Gibt es keinen, geben Sie 0 ein.',
  },
  'batch-not-released': {
    status: 409,
    en: 'The payout file is created when the batch is released.',
    de: 'Die Zahlungsdatei wird erstellt, wenn der Zahlungslauf zur Ausführung freigegeben wird.',
  },
  'batch-file-differs': {
    status: 409,
    en: 'The file of {number} no longer matches the released batch. Do not pay it. Inform the administrator.',
    de: 'Die Datei von {number} stimmt nicht mehr mit dem freigegebenen Zahlungslauf überein. Führen Sie sie nicht aus. Informieren Sie die Administration.',
  },
  'all-left-out': {
    status: 409,
    en: 'None of these withdrawals can be paid now: {references}. Open them for details.',
    de: 'Keine dieser Auszahlungen kann jetzt ausgezahlt werden: {references}. Öffnen Sie sie für Details.',
  },
  'nothing-to-pay': {
    status: 409,
    en: 'No withdrawals in {currency} are ready for payout.',
    de: 'Keine Auszahlungen in {currency} sind zur Auszahlung bereit.',
  },
  'accounts-not-client': { status: 400, en: 'Choose accounts of this client.', de: 'Wählen Sie Konten dieses Kunden.' },
  'value-unchanged': {
    status: 400,
    en: 'This is already the current value. Enter the correct value.',
    de: 'Das ist bereits der aktuelle Wert. Geben Sie den richtigen Wert ein.',
  },
  'leverage-over-right': {
    status: 409,
    en: 'This leverage is not available for this client and account. Reject the request.',
    de: 'Dieser Hebel ist für diesen Kunden und dieses Konto nicht verfügbar. Lehnen Sie den Antrag ab.',
  },
  'client-not-approved': {
    status: 409,
    en: 'The client has not been approved. No account can be opened.',
    de: 'Der Kunde ist nicht freigeschaltet. Es kann kein Konto eröffnet werden.',
  },
  'mt4-not-connected': {
    status: 409,
    en: '{platform} is not connected. This request stays pending.',
    de: '{platform} ist nicht angebunden. Dieser Antrag bleibt offen.',
  },
  'setting-invalid': {
    status: 400,
    en: 'This setting is not valid: {reason}',
    de: 'Diese Einstellung ist nicht gültig: {reason}',
  },
  'setting-unchanged': {
    status: 400,
    en: 'You have not made any changes. Change something before you save.',
    de: 'Sie haben nichts geändert. Ändern Sie etwas, bevor Sie speichern.',
  },
  'change-waits': {
    status: 409,
    en: 'A change of this setting is already pending. A second administrator must decide it, or it must be cancelled, first.',
    de: 'Hierzu ist bereits eine Änderung offen. Zuerst muss eine zweite Person der Administration entscheiden oder der Antrag zurückgezogen werden.',
  },
  'mrz-invalid': {
    status: 400,
    en: 'A machine-readable zone has 2 lines of 44 or 36 characters, or 3 lines of 30.',
    de: 'Eine maschinenlesbare Zone hat 2 Zeilen mit 44 oder 36 Zeichen oder 3 Zeilen mit 30.',
  },
  'wealth-asked': {
    status: 409,
    en: 'This has already been requested from the client. Wait for the answer.',
    de: 'Das wurde beim Kunden bereits angefordert. Warten Sie auf die Antwort.',
  },
  'file-not-scanned': {
    status: 409,
    en: 'The virus scan of this file has not finished. It is retried every minute.',
    de: 'Die Virenprüfung dieser Datei ist noch nicht abgeschlossen. Sie wird jede Minute wiederholt.',
  },
  'file-undisplayable': {
    status: 422,
    en: 'This file cannot be displayed. Download it with a reason, or request another file from the client.',
    de: 'Diese Datei kann nicht angezeigt werden. Laden Sie sie mit Begründung herunter oder fordern Sie beim Kunden eine andere an.',
  },
  'picture-reason': {
    status: 400,
    en: 'Enter a reason for viewing this image. The reason is logged.',
    de: 'Geben Sie eine Begründung für die Einsicht ein. Sie wird protokolliert.',
  },
  'job-gone': {
    status: 409,
    en: 'This operation is done or already running. Reload the list.',
    de: 'Diese Übermittlung ist erledigt oder läuft bereits. Laden Sie die Liste neu.',
  },
  'staff-email-or-password': {
    status: 401,
    en: 'Email or password is not correct. Check both, or ask an administrator for a new invitation.',
    de: 'E-Mail oder Passwort ist falsch. Prüfen Sie beides oder bitten Sie die Administration um eine neue Einladung.',
  },
  'enrolment-first': {
    status: 403,
    en: 'Set up two-factor authentication first with the link in your invitation.',
    de: 'Richten Sie zuerst über den Link in Ihrer Einladung die Zwei-Faktor-Authentifizierung ein.',
  },
} as const
