/** Refusals of the back office. Each says who may, or what to do. */
import type { ProblemText } from './problems.ts'

export const officeProblems = {
  'own-approval': {
    status: 403,
    en: 'You gave the first approval, so another person must give the second.',
    de: 'Sie haben die erste Freigabe erteilt, die zweite muss jemand anderes erteilen.',
  },
  'prefix-too-long': {
    status: 400,
    en: 'Write one to three letters from A to Z, so that every reference fits a platform comment.',
    de: 'Geben Sie einen bis drei Buchstaben von A bis Z an, damit jede Referenz in einen Plattformkommentar passt.',
  },
  'checks-block': {
    status: 409,
    en: 'Blocked by a check. {check}: {what} {wayOut}',
    de: 'Durch eine Prüfung gesperrt. {check}: {what} {wayOut}',
  },
  'checks-changed': {
    status: 409,
    en: 'The checks have changed since you opened this page. Read them again and acknowledge the warnings.',
    de: 'Die Prüfungen haben sich geändert, seit Sie diese Seite geöffnet haben. Lesen Sie sie erneut und nehmen Sie die Warnungen zur Kenntnis.',
  },
  'check-not-blocking': {
    status: 409,
    en: 'This check no longer blocks the request. Load the page again.',
    de: 'Diese Prüfung sperrt den Auftrag nicht mehr. Laden Sie die Seite neu.',
  },
  'override-not-allowed': {
    status: 409,
    en: 'This block cannot be overridden.',
    de: 'Für diesen Sperrgrund ist keine Ausnahme möglich.',
  },
  'override-own': {
    status: 403,
    en: 'You entered or approved this request, so another person must override the block.',
    de: 'Sie haben diesen Auftrag erfasst oder freigegeben. Die Ausnahme muss jemand anderes freigeben.',
  },
  'hold-in-force': {
    status: 409,
    en: 'Payments of this client are already on hold. Lift the hold before you set another one.',
    de: 'Die Zahlungen dieses Kunden sind bereits gesperrt. Heben Sie die Sperre auf, bevor Sie eine neue setzen.',
  },
  'hold-over': {
    status: 409,
    en: 'This hold has already ended. Load the page again.',
    de: 'Diese Sperre ist bereits beendet. Laden Sie die Seite neu.',
  },
  'holder-entered': {
    status: 409,
    en: 'The account holder’s name has already been entered. Load the page again.',
    de: 'Der Name des Kontoinhabers wurde bereits übernommen. Laden Sie die Seite neu.',
  },
  'proof-required': {
    status: 400,
    en: 'Choose the file that proves who paid, such as a letter of the payer.',
    de: 'Wählen Sie die Datei, die die Herkunft der Zahlung belegt, etwa ein Schreiben des Auftraggebers.',
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
    en: 'The debit has been sent to the platform. Wait for its answer.',
    de: 'Die Belastung wurde schon an die Plattform gesendet. Warten Sie auf deren Antwort.',
  },
  'own-override': {
    status: 403,
    en: 'You overrode a block on this request, so another person must decide it.',
    de: 'Sie haben bei diesem Auftrag eine Ausnahme freigegeben. Entscheiden muss jemand anderes.',
  },
  'own-act': {
    status: 403,
    en: 'You asked for this yourself, so another person must decide.',
    de: 'Sie haben das selbst beantragt, entscheiden muss jemand anderes.',
  },
  'not-your-act': {
    status: 403,
    en: 'Only the person who asked for this can take it back.',
    de: 'Zurücknehmen kann das nur, wer es beantragt hat.',
  },
  'own-request': {
    status: 403,
    en: 'This client has your e-mail address. Another person must decide.',
    de: 'Dieser Kunde hat Ihre E-Mail-Adresse. Entscheiden muss jemand anderes.',
  },
  'awaits-client': {
    status: 409,
    en: 'Some of our data was lost, and the client may have cancelled this request since. Wait until the client confirms it again, or reject it.',
    de: 'Ein Teil unserer Daten ging verloren, und der Kunde kann diesen Auftrag seither storniert haben. Warten Sie, bis der Kunde ihn erneut bestätigt, oder lehnen Sie ihn ab.',
  },
  'no-recovery': {
    status: 409,
    en: 'No recovery is open. Reload the page.',
    de: 'Es läuft kein Abgleich nach Wiederherstellung. Laden Sie die Seite neu.',
  },
  'said-before': {
    status: 409,
    en: 'This has been confirmed already. Reload the page.',
    de: 'Das ist bereits bestätigt. Laden Sie die Seite neu.',
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
    en: 'The platforms show a credit of this payment, or a deposit stands for it. Decide on that one first, then run recover again.',
    de: 'Die Plattformen zeigen eine Gutschrift dieser Zahlung, oder es gibt eine Einzahlung dafür. Entscheiden Sie zuerst darüber und führen Sie dann recover erneut aus.',
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
    en: 'This is not the last known closing balance, so the account has moved. Import its statement.',
    de: 'Das ist nicht der letzte bekannte Endsaldo, das Konto hat sich also bewegt. Importieren Sie den Kontoauszug.',
  },
  'own-roles': {
    status: 403,
    en: 'Nobody changes their own roles. Ask another administrator.',
    de: 'Niemand ändert die eigenen Rollen. Bitten Sie eine andere Person aus der Administration.',
  },
  'own-account': {
    status: 403,
    en: 'Nobody deactivates themselves or resets their own second factor. Ask another administrator.',
    de: 'Niemand deaktiviert sich selbst oder setzt den eigenen zweiten Faktor zurück. Bitten Sie eine andere Person aus der Administration.',
  },
  'auditor-alone': {
    status: 400,
    en: 'An auditor has no other role. Choose that role alone, or the others without it.',
    de: 'Wer prüft, hat keine andere Rolle. Wählen Sie nur diese Rolle oder die anderen ohne sie.',
  },
  'last-administrator': {
    status: 409,
    en: 'The last active administrator cannot be removed. Make somebody else administrator first.',
    de: 'Die letzte aktive Administration kann nicht entfernt werden. Geben Sie diese Rolle zuerst einer anderen Person.',
  },
  'second-administrator-missing': {
    status: 409,
    en: 'This needs two active administrators. With fewer, only the operator’s command line can change it.',
    de: 'Dafür braucht es zwei aktive Administratoren. Sonst ist die Änderung nur über die Kommandozeile möglich.',
  },
  'staff-known': {
    status: 409,
    en: 'Somebody on the staff has this e-mail address already. Change that person’s roles instead.',
    de: 'Diese E-Mail-Adresse gehört schon zu einem Teammitglied. Ändern Sie stattdessen dessen Rollen.',
  },
  'client-known': {
    status: 409,
    en: 'There is a client with this e-mail address already. Look for it among the clients.',
    de: 'Zu dieser E-Mail-Adresse gibt es schon einen Kunden. Suchen Sie danach unter den Kunden.',
  },
  'export-too-long': {
    status: 422,
    en: 'This is more than {most} rows. Narrow the filters, to some days for example.',
    de: 'Das sind mehr als {most} Zeilen. Grenzen Sie die Filter ein, zum Beispiel auf einige Tage.',
  },
  'reason-required': { status: 400, en: 'Write a reason.', de: 'Schreiben Sie eine Begründung.' },
  'identity-not-approved': {
    status: 409,
    en: 'Approve a proof of identity first.',
    de: 'Geben Sie zuerst einen Identitätsnachweis frei.',
  },
  'address-not-approved': {
    status: 409,
    en: 'Approve a proof of address first.',
    de: 'Geben Sie zuerst einen Adressnachweis frei.',
  },
  'requests-open': {
    status: 409,
    en: 'Requests of this client still wait. Decide them first.',
    de: 'Es warten noch Anträge dieses Kunden. Entscheiden Sie zuerst darüber.',
  },
  'money-left': {
    status: 409,
    en: 'This client is still owed money. Pay it out first.',
    de: 'Diesem Kunden steht noch Geld zu. Zahlen Sie es zuerst aus.',
  },
  'client-lives': {
    status: 409,
    en: 'The relationship with this client goes on. Close it first.',
    de: 'Die Geschäftsbeziehung besteht noch. Beenden Sie sie zuerst.',
  },
  'factor-reset-waits': {
    status: 409,
    en: 'Turning the second factor off is asked for already. Another person decides.',
    de: 'Das Abschalten des zweiten Faktors ist schon beantragt. Eine andere Person entscheidet.',
  },
  'email-change-waits': {
    status: 409,
    en: 'Another address is asked for already. It is decided, confirmed or rejected first.',
    de: 'Eine andere Adresse ist schon beantragt. Erst wird darüber entschieden, sie bestätigt oder abgelehnt.',
  },
  'answer-first': {
    status: 409,
    en: 'Check the client’s security answer first. A right one counts for 15 minutes, for whoever heard it.',
    de: 'Prüfen Sie zuerst die Sicherheitsantwort des Kunden. Eine richtige gilt 15 Minuten, für die Person, die sie gehört hat.',
  },
  'erasure-waits': {
    status: 409,
    en: 'The erasure of this client is asked for already.',
    de: 'Die Löschung dieses Kunden ist schon beantragt.',
  },
  'erased-already': {
    status: 409,
    en: 'This client is erased already.',
    de: 'Dieser Kunde ist schon gelöscht.',
  },
  'answer-tries-over': {
    status: 429,
    en: 'The security answer was tried too often. It can be tried again tomorrow.',
    de: 'Die Sicherheitsantwort wurde zu oft versucht. Morgen ist ein neuer Versuch möglich.',
  },
  'field-not-correctable': {
    status: 400,
    en: 'This field cannot be corrected here.',
    de: 'Dieses Feld kann hier nicht berichtigt werden.',
  },
  'available-fell': {
    status: 409,
    en: 'Only {available} is available on the account now. Reject this, or wait until more is free.',
    de: 'Auf dem Konto sind jetzt nur {available} verfügbar. Lehnen Sie ab, oder warten Sie, bis mehr frei ist.',
  },
  'two-people-decide': {
    status: 409,
    en: 'This discrepancy holds an account, so two people decide it. Propose a decision, and another person confirms it.',
    de: 'Diese Abweichung sperrt Auszahlungen von einem Konto, deshalb entscheiden zwei Personen. Schlagen Sie eine Entscheidung vor, und eine andere Person bestätigt sie.',
  },
  'operation-open': {
    status: 409,
    en: 'The platform has not answered yet. We keep asking; nothing needs to be repeated.',
    de: 'Die Plattform hat noch nicht geantwortet. Wir fragen weiter; nichts muss wiederholt werden.',
  },
  'resend-too-early': {
    status: 409,
    en: 'The platform must be found without it twice, 60 seconds apart, before it is sent again.',
    de: 'Erst wenn die Plattform es zweimal im Abstand von 60 Sekunden nicht kennt, wird erneut gesendet.',
  },
  'other-currency': {
    status: 400,
    en: 'The currencies differ. Choose one in the same currency.',
    de: 'Die Währungen sind verschieden. Wählen Sie etwas in derselben Währung.',
  },
  'owner-closed': {
    status: 409,
    en: 'The client of this account is closed. Send the money back to its payer.',
    de: 'Der Kunde dieses Kontos ist geschlossen. Senden Sie das Geld an den Zahler zurück.',
  },
  'line-known': {
    status: 409,
    en: 'This payment was entered already. Look for it in the list.',
    de: 'Diese Zahlung wurde schon erfasst. Suchen Sie sie in der Liste.',
  },
  'line-outgoing': {
    status: 400,
    en: 'This line is money going out. Only money that arrived is matched.',
    de: 'Diese Zeile ist ein Ausgang. Zugeordnet wird nur, was angekommen ist.',
  },
  'statement-invalid': {
    status: 422,
    en: 'Line {line} of the statement could not be read: {reason}. Nothing was imported; correct the file and import it again.',
    de: 'Zeile {line} des Auszugs war nicht lesbar: {reason}. Es wurde nichts übernommen; berichtigen Sie die Datei und lesen Sie sie erneut ein.',
  },
  'statement-long': {
    status: 422,
    en: 'The file has more than {most} lines. Import it in parts, by days for example. Nothing was imported.',
    de: 'Die Datei hat mehr als {most} Zeilen. Importieren Sie sie in Teilen, zum Beispiel nach Tagen. Es wurde nichts übernommen.',
  },
  'statement-balance': {
    status: 422,
    en: 'From the opening balance of {opening} the lines, {lines} together, do not lead to the closing balance of {closing}: {gap} is missing or too much. Nothing was imported.',
    de: 'Vom Anfangssaldo {opening} führen die Zeilen, zusammen {lines}, nicht zum Endsaldo {closing}: {gap} fehlen oder sind zu viel. Es wurde nichts übernommen.',
  },
  'statement-other-balance': {
    status: 400,
    en: 'The file itself names another balance. Leave this empty, or correct it.',
    de: 'Die Datei selbst nennt einen anderen Saldo. Lassen Sie das leer, oder berichtigen Sie es.',
  },
  'statement-other-account': {
    status: 422,
    en: 'The file is a statement of account {account}, not of {ours}. Choose the other account or another file. Nothing was imported.',
    de: 'Die Datei ist ein Auszug des Kontos {account}, nicht des Kontos {ours}. Wählen Sie das andere Konto oder eine andere Datei. Es wurde nichts übernommen.',
  },
  'statement-account-unknown': {
    status: 422,
    en: 'The file is a statement of account {account}, which is not a client money account of the firm. Choose another file. Nothing was imported.',
    de: 'Die Datei ist ein Auszug des Kontos {account}, das kein Kundengeldkonto der Firma ist. Wählen Sie eine andere Datei. Es wurde nichts übernommen.',
  },
  'more-than-firms-own': {
    status: 409,
    en: 'No more than {most} of what is held is the firm’s own. The rest belongs to clients and stays.',
    de: 'Höchstens {most} des Guthabens gehören der Firma. Der Rest gehört Kunden und bleibt.',
  },
  'line-not-free': {
    status: 409,
    en: 'This bank line has found its use already. Open it to see which.',
    de: 'Diese Bankzeile ist schon verwendet. Öffnen Sie sie, um zu sehen, wofür.',
  },
  'line-differs': {
    status: 400,
    en: 'The bank line is of another amount or currency. Take them as they stand there.',
    de: 'Die Bankzeile nennt einen anderen Betrag oder eine andere Währung. Übernehmen Sie, was dort steht.',
  },
  'payout-not-returned': {
    status: 409,
    en: 'This payout counts as paid. Say on the withdrawal that the bank returned it; then another person takes this line.',
    de: 'Diese Auszahlung gilt als ausgeführt. Vermerken Sie an ihr, dass die Bank sie zurückgab; dann nimmt eine andere Person diese Zeile.',
  },
  'payout-has-line': {
    status: 409,
    en: 'Another bank line is this payout already. Open the withdrawal to see what happened.',
    de: 'Eine andere Bankzeile ist schon diese Auszahlung. Öffnen Sie die Auszahlung, um zu sehen, was geschah.',
  },
  'more-than-payout': {
    status: 400,
    en: 'More arrived than was sent with this payout, so it is another payment.',
    de: 'Es kam mehr an, als mit dieser Auszahlung gesendet wurde; es ist also eine andere Zahlung.',
  },
  'own-return': {
    status: 403,
    en: 'You returned this payout yourself, so another person must take its line.',
    de: 'Sie haben diese Auszahlung selbst als zurückgekommen vermerkt, die Zeile muss jemand anderes nehmen.',
  },
  'account-unknown-bank': {
    status: 400,
    en: 'The firm has no such bank account. Add it in the settings first.',
    de: 'Ein solches Bankkonto hat die Firma nicht. Legen Sie es zuerst in den Einstellungen an.',
  },
  'in-payout-batch': {
    status: 409,
    en: 'This withdrawal is in a payout batch. Void the batch first.',
    de: 'Diese Auszahlung ist in einem Zahlungslauf. Heben Sie zuerst den Zahlungslauf auf.',
  },
  'reversal-asked': {
    status: 409,
    en: 'The reversal has been requested already. Another person confirms or drops it.',
    de: 'Die Rückbuchung ist schon beantragt. Eine andere Person bestätigt oder verwirft sie.',
  },
  'reversal-not-asked': {
    status: 409,
    en: 'Nobody has requested a reversal of this withdrawal.',
    de: 'Für diese Auszahlung ist keine Rückbuchung beantragt.',
  },
  'own-import': {
    status: 403,
    en: 'You imported this bank transaction. Another person must decide.',
    de: 'Sie haben diesen Bankumsatz importiert. Eine andere Person muss entscheiden.',
  },
  'payouts-stopped': {
    status: 409,
    en: 'Payouts are stopped: the bank shows a debit with the reference {reference}, which no record has. Two people of finance explain it, or open recovery.',
    de: 'Auszahlungen sind gestoppt: Die Bank zeigt eine Abbuchung mit der Referenz {reference}, die kein Datensatz hat. Zwei Personen aus der Finanzabteilung erklären sie oder öffnen den Abgleich nach Wiederherstellung.',
  },
  'payout-not-paid': {
    status: 409,
    en: 'The bank shows a payment for this withdrawal, which is not marked as paid here.',
    de: 'Die Bank zeigt eine Zahlung zu dieser Auszahlung, die hier nicht als ausgezahlt gilt.',
  },
  'own-batch': {
    status: 403,
    en: 'You created this batch. Another person must release it.',
    de: 'Sie haben diesen Zahlungslauf erstellt. Eine andere Person muss ihn zur Ausführung freigeben.',
  },
  'approved-in-batch': {
    status: 403,
    en: 'You approved a payment in this batch. A person who approved none of its payments must release it.',
    de: 'Sie haben eine Zahlung in diesem Zahlungslauf freigegeben. Zur Ausführung freigeben muss ihn, wer keine davon freigegeben hat.',
  },
  'own-release': {
    status: 403,
    en: 'You released this batch. Another person must confirm that the bank has sent it.',
    de: 'Sie haben diesen Zahlungslauf zur Ausführung freigegeben. Eine andere Person muss bestätigen, dass die Bank ihn gesendet hat.',
  },
  'batch-changed': {
    status: 409,
    en: 'The batch has changed: {count} payments, {total}. Nothing was released. Read it again.',
    de: 'Der Zahlungslauf hat sich geändert: {count} Zahlungen, {total}. Nichts wurde zur Ausführung freigegeben. Lesen Sie ihn noch einmal.',
  },
  'payout-paid-already': {
    status: 409,
    en: 'The bank has paid this withdrawal already.',
    de: 'Die Bank hat diese Auszahlung bereits ausgezahlt.',
  },
  'recovery-uncovered': {
    status: 409,
    en: 'This debit cannot be reversed yet: the bank may have paid it. Import the statements up to the day that Recovery shows, then decide.',
    de: 'Diese Abbuchung kann noch nicht rückgängig gemacht werden: Die Bank kann sie ausgezahlt haben. Importieren Sie die Kontoauszüge bis zu dem Tag, den die Wiederherstellung zeigt, und entscheiden Sie dann.',
  },
  'recovery-paid-out': {
    status: 409,
    en: 'This debit cannot be reversed: a bank statement shows its payment. Adopt it.',
    de: 'Diese Abbuchung kann nicht rückgängig gemacht werden: Ein Kontoauszug zeigt ihre Auszahlung. Übernehmen Sie sie.',
  },
  'recovery-line-needed': {
    status: 409,
    en: 'This bank line cannot have paid the deposit. Choose one whose amount is that of the deal and its fee.',
    de: 'Diese Bankbuchung kann die Einzahlung nicht bezahlt haben. Wählen Sie eine, deren Betrag der des Deals und seiner Gebühr ist.',
  },
  'line-of-adopted': {
    status: 409,
    en: 'This payment may be that of the deposit {reference}, which recovery adopted and which is credited already. Two people of finance choose its bank line first. See Recovery.',
    de: 'Diese Zahlung kann die der Einzahlung {reference} sein, die bei der Wiederherstellung übernommen wurde und schon gutgeschrieben ist. Zuerst wählen zwei Personen aus dem Finanzbereich ihre Bankbuchung. Siehe Wiederherstellung.',
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
    en: 'Look at the bank and enter the number of the last payout batch that it shows in this currency, for example PB-000041. Enter 0 if it shows none.',
    de: 'Sehen Sie bei der Bank nach und geben Sie die Nummer des letzten Zahlungslaufs an, den sie in dieser Währung zeigt, zum Beispiel PB-000041. Zeigt sie keinen, geben Sie 0 ein.',
  },
  'batch-not-released': {
    status: 409,
    en: 'This batch has no file until it is released.',
    de: 'Dieser Zahlungslauf hat erst eine Datei, wenn er zur Ausführung freigegeben ist.',
  },
  'batch-file-differs': {
    status: 409,
    en: 'The file of {number} can no longer be created as it was released. Do not pay it. Tell the administrator.',
    de: 'Die Datei von {number} lässt sich nicht mehr so erstellen, wie sie zur Ausführung freigegeben wurde. Führen Sie sie nicht aus. Informieren Sie die Administration.',
  },
  'all-left-out': {
    status: 409,
    en: 'None of these withdrawals can be paid now: {references}. Open them to see why.',
    de: 'Keine dieser Auszahlungen darf jetzt ausgezahlt werden: {references}. Öffnen Sie sie, um den Grund zu sehen.',
  },
  'nothing-to-pay': {
    status: 409,
    en: 'No withdrawals in {currency} are ready for payout.',
    de: 'Keine Auszahlungen in {currency} sind zur Auszahlung bereit.',
  },
  'accounts-not-client': { status: 400, en: 'Choose accounts of this client.', de: 'Wählen Sie Konten dieses Kunden.' },
  'value-unchanged': {
    status: 400,
    en: 'This stands there already. Write the right value.',
    de: 'Das steht schon da. Schreiben Sie den richtigen Wert.',
  },
  'leverage-over-right': {
    status: 409,
    en: 'This client may not have this leverage on this account. Reject the request.',
    de: 'Dieser Kunde darf diesen Hebel auf diesem Konto nicht haben. Lehnen Sie den Antrag ab.',
  },
  'client-not-approved': {
    status: 409,
    en: 'The client is not approved, so no account is opened.',
    de: 'Der Kunde ist nicht freigegeben, deshalb wird kein Konto eröffnet.',
  },
  'mt4-not-connected': {
    status: 409,
    en: '{platform} is not connected, so this request waits.',
    de: '{platform} ist nicht angebunden, deshalb wartet dieser Antrag.',
  },
  'setting-invalid': {
    status: 400,
    en: 'This setting is not valid: {reason}',
    de: 'Diese Einstellung ist nicht gültig: {reason}',
  },
  'setting-unchanged': {
    status: 400,
    en: 'Nothing was changed. Change something before you save.',
    de: 'Es wurde nichts geändert. Ändern Sie etwas, bevor Sie speichern.',
  },
  'change-waits': {
    status: 409,
    en: 'A change of this already waits for a second administrator. It is decided or taken back first.',
    de: 'Hierzu wartet schon eine Änderung auf eine zweite Freigabe. Zuerst wird sie entschieden oder zurückgenommen.',
  },
  'mrz-invalid': {
    status: 400,
    en: 'A machine readable zone has 2 lines of 44 or 36 characters, or 3 of 30.',
    de: 'Eine maschinenlesbare Zone hat 2 Zeilen mit 44 oder 36 Zeichen oder 3 mit 30.',
  },
  'wealth-asked': {
    status: 409,
    en: 'The client has been asked for this already. Wait for the answer.',
    de: 'Danach wurde der Kunde schon gefragt. Warten Sie auf die Antwort.',
  },
  'file-not-scanned': {
    status: 409,
    en: 'The virus scanner has not passed this file yet. It is asked again every minute.',
    de: 'Der Virenscanner hat diese Datei noch nicht freigegeben. Er wird jede Minute erneut gefragt.',
  },
  'file-undisplayable': {
    status: 422,
    en: 'This file could not be displayed. Download it with a written reason, or ask the client for another.',
    de: 'Diese Datei konnte nicht angezeigt werden. Laden Sie sie mit schriftlichem Grund herunter oder bitten Sie den Kunden um eine andere.',
  },
  'picture-reason': {
    status: 400,
    en: 'Write why you need to see this picture. The reason is logged.',
    de: 'Schreiben Sie, warum Sie dieses Bild sehen müssen. Der Grund wird protokolliert.',
  },
  'job-gone': {
    status: 409,
    en: 'This job is done or runs already. Load the list again.',
    de: 'Dieser Auftrag ist erledigt oder läuft schon. Laden Sie die Liste neu.',
  },
  'staff-email-or-password': {
    status: 401,
    en: 'E-mail or password is wrong. Check both, or ask an administrator for a new invitation.',
    de: 'E-Mail oder Passwort ist falsch. Prüfen Sie beides, oder bitten Sie einen Administrator um eine neue Einladung.',
  },
  'enrolment-first': {
    status: 403,
    en: 'Set up your second factor by the link of your invitation first.',
    de: 'Richten Sie zuerst über den Link Ihrer Einladung Ihren zweiten Faktor ein.',
  },
} as const satisfies Record<string, ProblemText>
