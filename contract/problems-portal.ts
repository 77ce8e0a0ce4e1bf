/** Refusals of the portal's own forms. Texts of requirements 16.2 stand word for word. */
import type { ProblemText } from './problems.ts'

export const portalProblems = {
  // Sign-in, links, passwords.
  'email-or-password': {
    status: 401,
    en: 'E-mail or password is wrong. Check both, or reset the password.',
    de: 'E-Mail oder Passwort ist falsch. Prüfen Sie beides, oder setzen Sie das Passwort zurück.',
  },
  'password-unreadable': {
    status: 401,
    en: 'The encrypted password could not be read. Load the page again, then try once more.',
    de: 'Das verschlüsselte Passwort war nicht lesbar. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  'password-garbled': {
    status: 400,
    en: 'The encrypted password could not be read. Load the page again, then try once more.',
    de: 'Das verschlüsselte Passwort war nicht lesbar. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  'password-plain': { status: 400, en: 'Send the password encrypted.', de: 'Senden Sie das Passwort verschlüsselt.' },
  'login-code-wrong': {
    status: 401,
    en: 'This code is wrong or was used already. Take the next one from your app.',
    de: 'Dieser Code ist falsch oder wurde schon verwendet. Nehmen Sie den nächsten aus Ihrer App.',
  },
  'ticket-ended': {
    status: 401,
    en: 'This took too long. Please log in again.',
    de: 'Das hat zu lange gedauert. Bitte melden Sie sich erneut an.',
  },
  'access-suspended': {
    status: 403,
    en: 'Your access is suspended. Write to {email}, and we will tell you what is needed.',
    de: 'Ihr Zugang ist gesperrt. Schreiben Sie an {email}; wir sagen Ihnen, was nötig ist.',
  },
  'access-closed': {
    status: 403,
    en: 'This client relationship is closed. Questions are answered at {email}.',
    de: 'Diese Kundenbeziehung ist beendet. Fragen beantwortet {email}.',
  },
  'password-incorrect': {
    status: 400,
    en: 'The current password is wrong. Type it once more.',
    de: 'Das aktuelle Passwort ist falsch. Geben Sie es noch einmal ein.',
  },
  'passwords-differ': { status: 400, en: 'Passwords MUST match!', de: 'Die Passwörter MÜSSEN übereinstimmen!' },
  'password-short': {
    status: 400,
    en: 'Password MUST contain at least {min} characters!',
    de: 'Das Passwort MUSS mindestens {min} Zeichen enthalten!',
  },
  'password-long': {
    status: 400,
    en: 'A password has at most 256 characters. Choose a shorter one.',
    de: 'Ein Passwort hat höchstens 256 Zeichen. Wählen Sie ein kürzeres.',
  },
  'password-characters': {
    status: 400,
    en: 'This password holds characters that cannot be typed everywhere. Leave them out.',
    de: 'Dieses Passwort enthält Zeichen, die sich nicht überall eingeben lassen. Lassen Sie diese weg.',
  },
  'password-leaked': {
    status: 400,
    en: 'This password stands in a list of stolen ones. Choose another one.',
    de: 'Dieses Passwort steht auf einer Liste gestohlener Passwörter. Wählen Sie ein anderes.',
  },
  'password-common': {
    status: 400,
    en: 'Many people use this password, so it is tried first. Choose another one.',
    de: 'Dieses Passwort verwenden viele, deshalb wird es zuerst ausprobiert. Wählen Sie ein anderes.',
  },
  'password-own': {
    status: 400,
    en: 'Your name or e-mail address is no password. Choose another one.',
    de: 'Ihr Name oder Ihre E-Mail-Adresse ist kein Passwort. Wählen Sie ein anderes.',
  },
  'code-wrong': {
    status: 400,
    en: 'This code is wrong or was used already. Take the next one from your app.',
    de: 'Dieser Code ist falsch oder wurde schon verwendet. Nehmen Sie den nächsten aus Ihrer App.',
  },
  'factor-on': {
    status: 409,
    en: 'Two-factor authentication is on already. Load the page again to see it.',
    de: 'Die Zwei-Faktor-Anmeldung ist schon eingeschaltet. Laden Sie die Seite neu, um es zu sehen.',
  },
  'factor-off': {
    status: 409,
    en: 'Two-factor authentication is not on. Load the page again to see it.',
    de: 'Die Zwei-Faktor-Anmeldung ist nicht eingeschaltet. Laden Sie die Seite neu, um es zu sehen.',
  },
  'factor-not-started': {
    status: 409,
    en: 'Start two-factor authentication again to get a new secret.',
    de: 'Beginnen Sie die Zwei-Faktor-Anmeldung neu, um ein neues Geheimnis zu erhalten.',
  },
  'link-unknown': {
    status: 404,
    en: 'This link is not known. Check that it was copied whole.',
    de: 'Dieser Link ist nicht bekannt. Prüfen Sie, ob er vollständig kopiert wurde.',
  },
  'link-used': {
    status: 409,
    en: 'This link was used already, or a newer one replaced it. Use the newest mail, or ask for another one.',
    de: 'Dieser Link wurde schon verwendet oder durch einen neueren ersetzt. Nehmen Sie die neueste E-Mail, oder fordern Sie eine weitere an.',
  },
  'email-taken': {
    status: 409,
    en: 'Somebody else is registered under this address by now, so nothing was changed. Write to our support.',
    de: 'Unter dieser Adresse ist inzwischen jemand anderes registriert; es wurde nichts geändert. Schreiben Sie an unseren Support.',
  },
  'link-expired': {
    status: 409,
    en: 'This link has expired. Ask for a new one.',
    de: 'Dieser Link ist abgelaufen. Fordern Sie einen neuen an.',
  },

  // Registration and profile.
  'birth-date-required': {
    status: 400,
    en: 'Please, set your birth date.',
    de: 'Bitte geben Sie Ihr Geburtsdatum an.',
  },
  'under-age': { status: 400, en: 'You must be 18 or older.', de: 'Sie müssen mindestens 18 Jahre alt sein.' },
  'country-unavailable': {
    status: 400,
    en: 'We are sorry: we cannot offer our services to people who live there.',
    de: 'Es tut uns leid: Wer dort wohnt, dem können wir unsere Dienste nicht anbieten.',
  },
  'postcode-length': {
    status: 400,
    en: 'Enter a postcode of 3 to 10 characters. If your country has no postcodes, enter 00000.',
    de: 'Geben Sie eine Postleitzahl mit 3 bis 10 Zeichen ein. Wenn es in Ihrem Land keine Postleitzahlen gibt, geben Sie 00000 ein.',
  },
  'step-unknown': {
    status: 400,
    en: 'The registration has no such step. Load the page again.',
    de: 'Diesen Schritt gibt es in der Registrierung nicht. Laden Sie die Seite neu.',
  },
  'step-skipped': {
    status: 409,
    en: 'An earlier step is still open. We take you there.',
    de: 'Ein früherer Schritt ist noch offen. Wir bringen Sie dorthin.',
  },
  'step-closed': {
    status: 409,
    en: 'This step is finished. You can change it in your profile later.',
    de: 'Dieser Schritt ist abgeschlossen. Sie können die Angaben später im Profil ändern.',
  },
  'email-not-confirmed': {
    status: 409,
    en: 'Confirm your e-mail address first, by the link that we sent you.',
    de: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse über den Link, den wir Ihnen geschickt haben.',
  },
  'registration-over': {
    status: 409,
    en: 'Your registration is complete. Log in to go on.',
    de: 'Ihre Registrierung ist abgeschlossen. Melden Sie sich an, um fortzufahren.',
  },
  'text-replaced': {
    status: 409,
    en: 'There is a newer version of this text, {version}. Please read it first.',
    de: 'Von diesem Text gibt es eine neuere Fassung, {version}. Bitte lesen Sie zuerst diese.',
  },
  'resend-wait': {
    status: 429,
    en: 'We have just sent you a mail. You can ask for another one in {seconds} seconds.',
    de: 'Wir haben Ihnen gerade eine E-Mail geschickt. In {seconds} Sekunden können Sie eine weitere anfordern.',
  },
  'email-locked': {
    status: 403,
    en: 'The e-mail address cannot be changed here. Write to our support to change it.',
    de: 'Die E-Mail-Adresse kann hier nicht geändert werden. Schreiben Sie dafür an unseren Support.',
  },

  // Documents and files.
  'expiry-date-required': {
    status: 400,
    en: 'Please, set the expiry date.',
    de: 'Bitte geben Sie das Ablaufdatum an.',
  },
  'document-locked': {
    status: 409,
    en: 'This document is being checked. It can be changed again after the decision.',
    de: 'Dieses Dokument wird gerade geprüft. Nach der Entscheidung können Sie es wieder ändern.',
  },
  'document-approved': {
    status: 409,
    en: 'This document is approved and needs no change.',
    de: 'Dieses Dokument ist freigegeben und muss nicht geändert werden.',
  },
  'document-not-accepted': {
    status: 400,
    en: 'We cannot accept this kind of document from this country.',
    de: 'Diese Art von Dokument können wir aus diesem Land nicht annehmen.',
  },
  'document-expired': {
    status: 400,
    en: 'This document has expired. Upload one that is valid.',
    de: 'Dieses Dokument ist abgelaufen. Laden Sie ein gültiges hoch.',
  },
  'issue-in-future': {
    status: 400,
    en: 'The date of issue is in the future. Check day, month and year.',
    de: 'Das Ausstellungsdatum liegt in der Zukunft. Prüfen Sie Tag, Monat und Jahr.',
  },
  'issue-too-old': {
    status: 400,
    en: 'A proof of address must be dated within the last 3 months.',
    de: 'Ein Adressnachweis darf höchstens 3 Monate alt sein.',
  },
  'front-required': { status: 400, en: 'Upload the front side.', de: 'Laden Sie die Vorderseite hoch.' },
  'back-required': { status: 400, en: 'Upload the back side.', de: 'Laden Sie die Rückseite hoch.' },
  'application-refused': {
    status: 409,
    en: 'We cannot accept your application, so no more documents are needed.',
    de: 'Wir können Ihren Antrag nicht annehmen; weitere Dokumente sind deshalb nicht nötig.',
  },
  'wealth-not-asked': {
    status: 409,
    en: 'We have not asked you for a proof of the source of your wealth. You need not send one.',
    de: 'Wir haben Sie nicht um einen Nachweis der Herkunft Ihres Vermögens gebeten. Sie müssen keinen senden.',
  },
  'identity-missing': {
    status: 400,
    en: 'Upload a proof of identity first. Then you can send both.',
    de: 'Laden Sie zuerst einen Identitätsnachweis hoch. Dann können Sie beides senden.',
  },
  'address-missing': {
    status: 400,
    en: 'Upload a proof of address first. Then you can send both.',
    de: 'Laden Sie zuerst einen Adressnachweis hoch. Dann können Sie beides senden.',
  },
  'nothing-to-send': {
    status: 409,
    en: 'Nothing new waits to be sent. Upload a document first.',
    de: 'Es gibt nichts Neues zu senden. Laden Sie zuerst ein Dokument hoch.',
  },
  'send-failed': {
    status: 500,
    en: "Something went wrong on our side. Please, contact support and we'll look into it.",
    de: 'Bei uns ist etwas schiefgegangen. Bitte wenden Sie sich an den Support, wir kümmern uns darum.',
  },
  'file-missing': {
    status: 400,
    en: 'No file arrived, or it is empty. Choose it again.',
    de: 'Es kam keine Datei an, oder sie ist leer. Wählen Sie sie noch einmal aus.',
  },
  'file-many': { status: 400, en: 'Send one file at a time.', de: 'Senden Sie jeweils nur eine Datei.' },
  'file-large': {
    status: 413,
    en: 'This file is larger than 15 MB. A photo instead of a scan is usually smaller.',
    de: 'Diese Datei ist größer als 15 MB. Ein Foto statt eines Scans ist meist kleiner.',
  },
  'file-kind': {
    status: 415,
    en: 'This is not a JPEG, PNG, WebP or PDF file. Choose one of these kinds.',
    de: 'Das ist keine JPEG-, PNG-, WebP- oder PDF-Datei. Wählen Sie eine von diesen Arten.',
  },
  'file-heic': {
    status: 415,
    en: 'Pictures in HEIC format cannot be read everywhere. Save it as JPEG, then choose it again.',
    de: 'Bilder im HEIC-Format sind nicht überall lesbar. Speichern Sie das Bild als JPEG und wählen Sie es erneut aus.',
  },
  'file-broken': {
    status: 422,
    en: 'This file is damaged or locked and cannot be opened. Save it anew or take a photo.',
    de: 'Diese Datei ist beschädigt oder gesperrt und lässt sich nicht öffnen. Speichern Sie sie neu oder machen Sie ein Foto.',
  },
  'file-active': {
    status: 422,
    en: 'This PDF holds scripts or forms that act by themselves. Print it into a new PDF, or take a photo.',
    de: 'Dieses PDF enthält Skripte oder Formulare, die von selbst handeln. Drucken Sie es in ein neues PDF, oder machen Sie ein Foto.',
  },
  'file-pages': {
    status: 422,
    en: 'This PDF has more than {most} pages. Send the ones that are needed.',
    de: 'Dieses PDF hat mehr als {most} Seiten. Senden Sie nur die benötigten.',
  },
  'file-infected': {
    status: 422,
    en: 'The virus scanner refused this file. Send another one.',
    de: 'Der Virenscanner hat diese Datei abgelehnt. Senden Sie eine andere.',
  },
  'file-quota': {
    status: 409,
    en: 'We keep no more files for you than these. Write to us if you need to send another one.',
    de: 'Mehr Dateien bewahren wir für Sie nicht auf. Schreiben Sie uns, wenn Sie noch eine senden müssen.',
  },
  'file-damaged': {
    status: 500,
    en: 'This stored file is damaged. We have been told of it; upload it again if you still have it.',
    de: 'Diese gespeicherte Datei ist beschädigt. Wir wissen davon; laden Sie sie noch einmal hoch, wenn Sie sie noch haben.',
  },
  'storage-full': {
    status: 503,
    en: 'We cannot store files at the moment. Try again in some minutes; nothing was lost.',
    de: 'Wir können im Augenblick keine Dateien speichern. Versuchen Sie es in einigen Minuten erneut; es ging nichts verloren.',
  },
} as const satisfies Record<string, ProblemText>
