/** A state inside a sentence of the error catalogue: “it is cancelled now”, „Der Stand ist jetzt storniert“. */
import type { Language } from '#rules/choices.ts'

const words: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  registering: { en: 'being registered', de: 'in Registrierung' },
  uploaded: { en: 'uploaded', de: 'hochgeladen' },
  pending: { en: 'pending', de: 'offen' },
  pending_approval: { en: 'being checked', de: 'in Prüfung' },
  second_approval: { en: 'in the second approval', de: 'in der zweiten Freigabe' },
  processing: { en: 'in progress', de: 'in Bearbeitung' },
  approved: { en: 'approved', de: 'genehmigt' },
  paid: { en: 'paid', de: 'ausgezahlt' },
  done: { en: 'done', de: 'erledigt' },
  rejected: { en: 'rejected', de: 'abgelehnt' },
  returned: { en: 'returned', de: 'zurückgekommen' },
  expired: { en: 'expired', de: 'abgelaufen' },
  cancelled: { en: 'cancelled', de: 'storniert' },
  suspended: { en: 'suspended', de: 'gesperrt' },
  closed: { en: 'closed', de: 'beendet' },
  more_asked: { en: 'waiting for the client’s answer', de: 'in Rückfrage beim Kunden' },
  confirming: { en: 'waiting for the client’s confirmation', de: 'in Bestätigung beim Kunden' },
  reversed: { en: 'reversed', de: 'zurückgenommen' },
  replaced: { en: 'replaced', de: 'ersetzt' },
  unmatched: { en: 'not matched', de: 'nicht zugeordnet' },
  matched: { en: 'matched', de: 'zugeordnet' },
  sent_back: { en: 'sent back', de: 'zurückgesendet' },
  own_money: { en: 'the firm’s own money', de: 'eigenes Geld der Firma' },
  came_back: { en: 'a payout that came back', de: 'eine zurückgekommene Auszahlung' },
  open: { en: 'open', de: 'offen' },
  proposed: { en: 'awaiting confirmation', de: 'in Bestätigung' },
  settled: { en: 'settled', de: 'erledigt' },
  explained: { en: 'explained', de: 'erklärt' },
  created: { en: 'created', de: 'erstellt' },
  released: { en: 'released', de: 'zur Ausführung freigegeben' },
  sent: { en: 'sent', de: 'gesendet' },
  partly_returned: { en: 'partly returned', de: 'teilweise zurückgekommen' },
  void_requested: { en: 'about to be voided', de: 'zur Aufhebung vorgeschlagen' },
  void: { en: 'void', de: 'aufgehoben' },
  lifted: { en: 'lifted', de: 'aufgehoben' },
  recovery: { en: 'in recovery', de: 'im Abgleich nach Wiederherstellung' },
  gone: { en: 'gone by itself', de: 'von selbst verschwunden' },
  invited: { en: 'invited', de: 'eingeladen' },
  active: { en: 'active', de: 'aktiv' },
  deactivated: { en: 'deactivated', de: 'deaktiviert' },
}

/** The word of a state; a code that is no state of a life stays as it is. */
export function stateLabel(state: string, language: Language): string {
  return Object.hasOwn(words, state) ? (words[state]?.[language] ?? state) : state
}
