/** Sample legal texts in both languages. A firm replaces them in the settings; each change is a new version. */
import type { Setting } from '#contract/setting-sections.ts'

export const legalTextDefaults: Setting<'legalTexts'> = {
  terms: {
    version: 1,
    title: { en: 'Terms of business', de: 'Geschäftsbedingungen' },
    text: {
      en: 'These terms govern the trading accounts you hold with us, the orders you give and the money we hold for you.\n\nWe execute orders in contracts for difference and foreign exchange on the MetaTrader platforms. We give no advice.\n\nMoney you pay in is held in client bank accounts apart from our own. You may ask for it back at any time, less what margin your open positions need.\n\nYou may close your account at any time by writing to us.',
      de: 'Diese Bedingungen regeln Ihre Handelskonten bei uns, die Aufträge, die Sie erteilen, und das Geld, das wir für Sie verwahren.\n\nWir führen Aufträge in Differenzkontrakten und Devisen auf den MetaTrader-Plattformen aus. Wir beraten nicht.\n\nEingezahltes Geld liegt auf Kundengeldkonten, getrennt von unserem eigenen. Sie können es jederzeit zurückverlangen, abzüglich der Margin Ihrer offenen Positionen.\n\nSie können Ihr Konto jederzeit schriftlich schließen.',
    },
  },
  privacy: {
    version: 1,
    title: { en: 'Privacy notice', de: 'Datenschutzhinweise' },
    text: {
      en: 'We keep what you tell us and the documents you upload because the law asks us to know our clients. Only staff who decide on your application see them, and every look is recorded.\n\nWe keep records for five years after the end of our relationship. You may ask for a copy of your data at any time in your profile.',
      de: 'Wir speichern Ihre Angaben und Dokumente, weil das Gesetz verlangt, dass wir unsere Kunden kennen. Nur Mitarbeiter, die über Ihren Antrag entscheiden, sehen sie, und jede Einsicht wird festgehalten.\n\nWir bewahren Unterlagen fünf Jahre über das Ende der Geschäftsbeziehung hinaus auf. In Ihrem Profil können Sie jederzeit eine Kopie Ihrer Daten anfordern.',
    },
  },
  riskDisclosure: {
    version: 1,
    title: { en: 'Risk disclosure', de: 'Risikohinweis' },
    text: {
      en: 'Contracts for difference are complex and come with a high risk of losing money rapidly because of leverage.\n\nA small move of the market against you can cost you the whole of the margin you paid. As a retail client you cannot lose more than the money in your account.\n\nTrade only with money that you can afford to lose, and only if you understand how these contracts work.',
      de: 'Differenzkontrakte sind komplex und gehen wegen der Hebelwirkung mit dem hohen Risiko einher, schnell Geld zu verlieren.\n\nEine kleine Marktbewegung gegen Sie kann die gesamte eingezahlte Margin kosten. Als Privatkunde können Sie nicht mehr verlieren als das Geld auf Ihrem Konto.\n\nHandeln Sie nur mit Geld, dessen Verlust Sie verkraften, und nur, wenn Sie diese Kontrakte verstehen.',
    },
  },
  declaration: {
    version: 1,
    title: { en: 'Declaration', de: 'Erklärung' },
    text: {
      en: 'I declare that what I have stated is true and complete, that I act on my own account and for nobody else, and that I will tell the firm at once when something changes.',
      de: 'Ich erkläre, dass meine Angaben wahr und vollständig sind, dass ich auf eigene Rechnung und für niemanden sonst handle und dass ich Änderungen unverzüglich mitteile.',
    },
  },
  clientAssetsDeclaration: {
    version: 1,
    title: { en: 'Client Assets Declarations', de: 'Erklärung zu Kundengeldern' },
    text: {
      en: 'Money that you pay in is client money. We hold it in a client bank account, apart from our own money, and reconcile it every day.\n\nIf the bank that holds it should fail, all clients share a loss in proportion. Money held by a bank may be protected by a deposit guarantee scheme.\n\nMoney needed as margin may be passed to the firm that executes your orders. It remains yours in our records.\n\nI have read how my money is held and I agree.',
      de: 'Geld, das Sie einzahlen, ist Kundengeld. Wir verwahren es auf einem Kundengeldkonto, getrennt von unserem eigenen Geld, und gleichen es täglich ab.\n\nFällt die verwahrende Bank aus, tragen alle Kunden einen Verlust anteilig. Geld bei einer Bank kann durch eine Einlagensicherung geschützt sein.\n\nGeld, das als Margin gebraucht wird, kann an die Firma weitergegeben werden, die Ihre Aufträge ausführt. In unseren Büchern bleibt es Ihres.\n\nIch habe gelesen, wie mein Geld verwahrt wird, und stimme zu.',
    },
  },
}
