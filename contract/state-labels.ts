/** A state inside a sentence of the error catalogue: “it is cancelled now”, „Der Stand ist jetzt storniert“. */
import type { Language } from '#rules/choices.ts'

const words: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  registering: { en: 'registering', de: 'in Registrierung' },
  uploaded: { en: 'uploaded', de: 'hochgeladen' },
  pending: { en: 'pending', de: 'offen' },
  pending_approval: { en: 'pending', de: 'offen' },
  second_approval: { en: 'second approval', de: 'zweite Freigabe' },
  processing: { en: 'processing', de: 'in Bearbeitung' },
  approved: { en: 'approved', de: 'genehmigt' },
  paid: { en: 'paid', de: 'ausgezahlt' },
  done: { en: 'done', de: 'erledigt' },
  rejected: { en: 'rejected', de: 'abgelehnt' },
  returned: { en: 'returned', de: 'Rückläufer' },
  expired: { en: 'expired', de: 'abgelaufen' },
  cancelled: { en: 'cancelled', de: 'storniert' },
  suspended: { en: 'suspended', de: 'gesperrt' },
  closed: { en: 'closed', de: 'geschlossen' },
  more_asked: { en: 'information requested', de: 'Rückfrage offen' },
  confirming: { en: 'awaiting confirmation', de: 'Bestätigung ausstehend' },
  reversed: { en: 'reversed', de: 'rückgängig gemacht' },
  replaced: { en: 'replaced', de: 'ersetzt' },
  unmatched: { en: 'unmatched', de: 'nicht zugeordnet' },
  matched: { en: 'matched', de: 'zugeordnet' },
  sent_back: { en: 'returned to sender', de: 'an Absender zurücküberwiesen' },
  own_money: { en: 'firm money', de: 'Firmengelder' },
  came_back: { en: 'returned payout', de: 'Rückläufer' },
  open: { en: 'open', de: 'offen' },
  proposed: { en: 'proposed', de: 'vorgeschlagen' },
  settled: { en: 'settled', de: 'erledigt' },
  explained: { en: 'explained', de: 'begründet' },
  created: { en: 'created', de: 'erstellt' },
  released: { en: 'released', de: 'zur Ausführung freigegeben' },
  sent: { en: 'sent', de: 'gesendet' },
  partly_returned: { en: 'partly returned', de: 'teilweise Rückläufer' },
  void_requested: { en: 'void requested', de: 'Aufhebung beantragt' },
  void: { en: 'void', de: 'aufgehoben' },
  lifted: { en: 'lifted', de: 'aufgehoben' },
  recovery: { en: 'recovery', de: 'Wiederherstellung' },
  gone: { en: 'cleared automatically', de: 'automatisch bereinigt' },
  invited: { en: 'invited', de: 'eingeladen' },
  active: { en: 'active', de: 'aktiv' },
  deactivated: { en: 'deactivated', de: 'deaktiviert' },
}

/** The word of a state; a code that is no state of a life stays as it is. */
export function stateLabel(state: string, language: Language): string {
  return Object.hasOwn(words, state) ? (words[state]?.[language] ?? state) : state
}
