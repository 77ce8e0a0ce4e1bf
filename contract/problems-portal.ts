/** Refusals of the portal's own forms. Texts of requirements 16.2 stand word for word. */
export const portalProblems = {
  // Sign-in, links, passwords.
  'email-or-password': {
    status: 401,
    en: 'Email or password is not correct. Check both, or reset the password.',
    de: 'E-Mail oder Passwort ist falsch. Prüfen Sie beides oder setzen Sie das Passwort zurück.',
  },
  'password-unreadable': {
    status: 401,
    en: 'We could not read the encrypted password. Reload the page and try again.',
    de: 'Das verschlüsselte Passwort war nicht lesbar. Laden Sie die Seite neu und versuchen Sie es erneut.',
  },
  'password-garbled': {
    status: 400,
    en: 'We could not read the encrypted password. Reload the page and try again.',
    de: 'Das verschlüsselte Passwort war nicht lesbar. Laden Sie die Seite neu und versuchen Sie es erneut.',
  },
  'password-plain': { status: 400, en: 'Send the password encrypted.', de: 'Senden Sie das Passwort verschlüsselt.' },
  'login-code-wrong': {
    status: 401,
    en: 'This code is not correct or has already been used. Enter the next code from your app.',
    de: 'Dieser Code ist falsch oder wurde bereits verwendet. Geben Sie den nächsten Code aus Ihrer App ein.',
  },
  'ticket-ended': {
    status: 401,
    en: 'This took too long. Please log in again.',
    de: 'Das hat zu lange gedauert. Bitte melden Sie sich erneut an.',
  },
  'access-suspended': {
    status: 403,
    en: 'Your access has been suspended. Contact {email} to find out what we need.',
    de: 'Ihr Zugang ist gesperrt. Bitte schreiben Sie an {email}. Wir sagen Ihnen, was wir benötigen.',
  },
  'access-closed': {
    status: 403,
    en: 'This client relationship has ended. For questions, email {email}.',
    de: 'Diese Kundenbeziehung ist beendet. Bei Fragen schreiben Sie an {email}.',
  },
  'password-incorrect': {
    status: 400,
    en: 'The current password is not correct. Enter it again.',
    de: 'Das aktuelle Passwort ist falsch. Geben Sie es erneut ein.',
  },
  'passwords-differ': { status: 400, en: 'Passwords MUST match!', de: 'Die Passwörter MÜSSEN übereinstimmen!' },
  'password-short': {
    status: 400,
    en: 'Password MUST contain at least {min} characters!',
    de: 'Das Passwort MUSS mindestens {min} Zeichen enthalten!',
  },
  'password-long': {
    status: 400,
    en: 'A password can have up to 256 characters. Choose a shorter one.',
    de: 'Ein Passwort darf höchstens 256 Zeichen haben. Wählen Sie ein kürzeres.',
  },
  'password-characters': {
    status: 400,
    en: 'This password contains unsupported characters. Remove them.',
    de: 'Dieses Passwort enthält nicht unterstützte Zeichen. Entfernen Sie diese.',
  },
  'password-leaked': {
    status: 400,
    en: 'This password has appeared in a data breach. Choose another one.',
    de: 'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.',
  },
  'password-common': {
    status: 400,
    en: 'This password is too common. Choose another one.',
    de: 'Dieses Passwort wird zu häufig verwendet. Wählen Sie ein anderes.',
  },
  'password-own': {
    status: 400,
    en: 'Do not use your name or email address as your password. Choose another one.',
    de: 'Verwenden Sie nicht Ihren Namen oder Ihre E-Mail-Adresse als Passwort. Wählen Sie ein anderes.',
  },
  'code-wrong': {
    status: 400,
    en: 'This code is not correct or has already been used. Enter the next code from your app.',
    de: 'Dieser Code ist falsch oder wurde bereits verwendet. Geben Sie den nächsten Code aus Ihrer App ein.',
  },
  'factor-on': {
    status: 409,
    en: 'Two-factor authentication is already on. Reload the page.',
    de: 'Die Zwei-Faktor-Authentifizierung ist bereits eingeschaltet. Laden Sie die Seite neu.',
  },
  'factor-off': {
    status: 409,
    en: 'Two-factor authentication is not on. Reload the page.',
    de: 'Die Zwei-Faktor-Authentifizierung ist nicht eingeschaltet. Laden Sie die Seite neu.',
  },
  'factor-not-started': {
    status: 409,
    en: 'Start setting up two-factor authentication again to get a new key.',
    de: 'Beginnen Sie die Einrichtung der Zwei-Faktor-Authentifizierung erneut, um einen neuen Schlüssel zu erhalten.',
  },
  'link-unknown': {
    status: 404,
    en: 'This link is not valid. Check that you copied the whole link.',
    de: 'Dieser Link ist ungültig. Prüfen Sie, ob Sie den ganzen Link kopiert haben.',
  },
  'link-used': {
    status: 409,
    en: 'This link has already been used or replaced. Use the latest email, or request a new link.',
    de: 'Dieser Link wurde bereits verwendet oder ersetzt. Verwenden Sie die neueste E-Mail oder fordern Sie einen neuen Link an.',
  },
  'email-taken': {
    status: 409,
    en: 'Another person is now registered with this address. Nothing was changed. Contact support.',
    de: 'Unter dieser Adresse ist inzwischen eine andere Person registriert. Es wurde nichts geändert. Kontaktieren Sie den Support.',
  },
  'link-expired': {
    status: 409,
    en: 'This link has expired. Request a new one.',
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
    en: 'We cannot offer our services to residents of this country.',
    de: 'In diesem Land bieten wir unsere Dienste nicht an.',
  },
  'postcode-length': {
    status: 400,
    en: 'Enter a postcode of 3 to 10 characters. If your country has no postcodes, enter 00000.',
    de: 'Geben Sie eine Postleitzahl mit 3 bis 10 Zeichen ein. Wenn es in Ihrem Land keine Postleitzahlen gibt, geben Sie 00000 ein.',
  },
  'step-unknown': {
    status: 400,
    en: 'This registration step does not exist. Reload the page.',
    de: 'Diesen Schritt gibt es in der Registrierung nicht. Laden Sie die Seite neu.',
  },
  'step-skipped': {
    status: 409,
    en: 'Complete the earlier step first. We will take you there.',
    de: 'Schließen Sie zuerst den früheren Schritt ab. Wir bringen Sie dorthin.',
  },
  'step-closed': {
    status: 409,
    en: 'This step is complete. You can change the details in your profile later.',
    de: 'Dieser Schritt ist abgeschlossen. Sie können die Angaben später im Profil ändern.',
  },
  'email-not-confirmed': {
    status: 409,
    en: 'Confirm your email address first with the link we sent you.',
    de: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse über den Link, den wir Ihnen gesendet haben.',
  },
  'registration-over': {
    status: 409,
    en: 'Your registration is complete. Log in to continue.',
    de: 'Ihre Registrierung ist abgeschlossen. Melden Sie sich an, um fortzufahren.',
  },
  'text-replaced': {
    status: 409,
    en: 'There is a newer version of this text, {version}. Please read it first.',
    de: 'Von diesem Text gibt es eine neuere Fassung, {version}. Bitte lesen Sie zuerst diese.',
  },
  'resend-wait': {
    status: 429,
    en: 'We have just sent you an email. You can request another one in {seconds} seconds.',
    de: 'Wir haben Ihnen gerade eine E-Mail gesendet. In {seconds} Sekunden können Sie eine weitere anfordern.',
  },
  'email-locked': {
    status: 403,
    en: 'You cannot change the email address here. Contact support to change it.',
    de: 'Die E-Mail-Adresse kann hier nicht geändert werden. Kontaktieren Sie dafür den Support.',
  },

  // Documents and files.
  'expiry-date-required': {
    status: 400,
    en: 'Please, set the expiry date.',
    de: 'Bitte geben Sie das Ablaufdatum an.',
  },
  'document-locked': {
    status: 409,
    en: 'We are reviewing this document. You can change it after our decision.',
    de: 'Wir prüfen dieses Dokument. Nach unserer Entscheidung können Sie es ändern.',
  },
  'document-approved': {
    status: 409,
    en: 'This document has been approved. You do not need to change it.',
    de: 'Dieses Dokument wurde akzeptiert. Sie müssen nichts ändern.',
  },
  'document-not-accepted': {
    status: 400,
    en: 'We do not accept this type of document from this country. Choose another one.',
    de: 'Diese Art von Dokument akzeptieren wir aus diesem Land nicht. Wählen Sie ein anderes.',
  },
  'document-expired': {
    status: 400,
    en: 'This document has expired. Upload a valid one.',
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
    en: 'We cannot accept your application. You do not need to send more documents.',
    de: 'Wir können Ihren Antrag nicht annehmen. Weitere Dokumente sind nicht nötig.',
  },
  'wealth-not-asked': {
    status: 409,
    en: 'We have not requested proof of the source of your wealth. You do not need to send one.',
    de: 'Wir haben keinen Nachweis der Herkunft Ihres Vermögens angefordert. Sie müssen keinen senden.',
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
    en: 'There are no new documents to send. Upload a document first.',
    de: 'Es gibt keine neuen Dokumente zu senden. Laden Sie zuerst ein Dokument hoch.',
  },
  'send-failed': {
    status: 500,
    en: "Something went wrong on our side. Please, contact support and we'll look into it.",
    de: 'Bei uns ist ein Fehler aufgetreten. Bitte wenden Sie sich an den Support. Wir kümmern uns darum.',
  },
  'file-missing': {
    status: 400,
    en: 'We did not receive a file, or it is empty. Choose it again.',
    de: 'Es wurde keine Datei empfangen, oder sie ist leer. Wählen Sie sie erneut aus.',
  },
  'file-many': { status: 400, en: 'Upload one file at a time.', de: 'Laden Sie jeweils nur eine Datei hoch.' },
  'file-large': {
    status: 413,
    en: 'This file is larger than 15 MB. A photo is usually smaller than a scan.',
    de: 'Diese Datei ist größer als 15 MB. Ein Foto ist meist kleiner als ein Scan.',
  },
  'file-kind': {
    status: 415,
    en: 'Choose a JPEG, PNG, WebP or PDF file.',
    de: 'Wählen Sie eine JPEG-, PNG-, WebP- oder PDF-Datei.',
  },
  'file-heic': {
    status: 415,
    en: 'HEIC images are not supported. Save the image as JPEG and choose it again.',
    de: 'HEIC-Bilder werden nicht unterstützt. Speichern Sie das Bild als JPEG und wählen Sie es erneut aus.',
  },
  'file-broken': {
    status: 422,
    en: 'This file is damaged or locked. Save it again or take a photo.',
    de: 'Diese Datei ist beschädigt oder gesperrt. Speichern Sie sie erneut oder machen Sie ein Foto.',
  },
  'file-active': {
    status: 422,
    en: 'This PDF contains scripts or active forms. Print it to a new PDF or take a photo.',
    de: 'Dieses PDF enthält Skripte oder aktive Formulare. Drucken Sie es in ein neues PDF oder machen Sie ein Foto.',
  },
  'file-pages': {
    status: 422,
    en: 'This PDF has more than {most} pages. Upload only the pages we need.',
    de: 'Dieses PDF hat mehr als {most} Seiten. Laden Sie nur die benötigten Seiten hoch.',
  },
  'file-infected': {
    status: 422,
    en: 'The virus scanner rejected this file. Choose another one.',
    de: 'Der Virenscanner hat diese Datei abgelehnt. Wählen Sie eine andere.',
  },
  'file-quota': {
    status: 409,
    en: 'You have reached the file limit. Contact us to send another file.',
    de: 'Sie haben die Höchstzahl an Dateien erreicht. Kontaktieren Sie uns, wenn Sie eine weitere senden müssen.',
  },
  'file-damaged': {
    status: 500,
    en: 'This stored file is damaged. We have been notified. If you still have the file, upload it again.',
    de: 'Diese gespeicherte Datei ist beschädigt. Wir wurden informiert. Wenn Sie die Datei noch haben, laden Sie sie erneut hoch.',
  },
  'storage-full': {
    status: 503,
    en: 'We cannot store files at the moment. No data was lost. Try again in a few minutes.',
    de: 'Wir können derzeit keine Dateien speichern. Es sind keine Daten verloren gegangen. Versuchen Sie es in einigen Minuten erneut.',
  },
} as const
