/** The hosted payment pages. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf } from '../process/http.ts'
import { canRetryPayment, type Checkout } from './checkout.ts'
import type { Store } from './store.ts'

const secureCode = '123456'
const productNames: Readonly<Record<number, string>> = {
  1: 'Visa',
  3: 'Mastercard',
  114: 'Visa Debit',
  117: 'Maestro',
  119: 'Debit Mastercard',
  122: 'Visa Electron',
  809: 'iDEAL',
  /** Only of this simulator: a real provider has its own numbers. */
  9001: 'AstroPay',
}
const cardProducts = [1, 3, 114, 117, 119, 122]

/** Serves GET and POST /checkout/{id}. */
export async function servePage(book: Store, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const checkout = book.checkout(/^\/checkout\/([^/]+)$/.exec(url.pathname)?.[1] ?? '')
  if (checkout === undefined) return answerPage(response, 404, message('en_GB', 'done'))
  if (checkout.life !== 'open' && !canRetryPayment(checkout))
    return answerPage(response, 410, message(checkout.locale, 'done'))
  if (request.method !== 'POST') return answerPage(response, 200, payPage(checkout))
  const form = new URLSearchParams((await bodyOf(request)).toString('utf8'))
  handleForm(book, checkout, form, response)
}

function handleForm(book: Store, checkout: Checkout, form: URLSearchParams, response: ServerResponse): void {
  const action = form.get('button') ?? form.get('action')
  if (action === 'challenge') return answerPage(response, 200, securePage(checkout))
  if (action === 'confirm') {
    book.act(checkout.id, form.get('code') === secureCode ? 'pay' : 'decline')
    return redirectToMerchant(checkout, response)
  }
  if (action === 'close') {
    book.act(checkout.id, 'pay')
    return answerPage(response, 200, message(checkout.locale, 'closed'))
  }
  if (action === 'pay' || action === 'decline' || action === 'cancel' || action === 'pend') {
    book.act(checkout.id, action)
    return redirectToMerchant(checkout, response)
  }
  answerPage(response, 400, payPage(checkout))
}

function redirectToMerchant(checkout: Checkout, response: ServerResponse): void {
  const back = new URL(checkout.returnUrl)
  back.searchParams.set('RETURNMAC', checkout.returnMac)
  back.searchParams.set('hostedCheckoutId', checkout.id)
  response.writeHead(303, { location: back.href, 'cache-control': 'no-store' })
  response.end()
}

function payPage(checkout: Checkout): string {
  const { words } = wordsFor(checkout.locale)
  const choices = (['pay', 'challenge', 'decline', 'close', 'pend'] as const).map(
    (action, index) =>
      `<label class="choice"><input type="radio" name="action" value="${action}"${index === 0 ? ' checked' : ''}> ${words[action]}</label>`,
  )
  const byCard = checkout.products.length === 0 || checkout.products.some((product) => cardProducts.includes(product))
  return page(
    checkout.locale,
    `${amountBlock(checkout)}
    <form method="post">
      ${productBlock(checkout)}
      ${byCard ? cardBlock(checkout) : `<p class="small">${words.account}</p>`}
      <fieldset><legend>${words.answer}</legend>${choices.join('')}</fieldset>
      <div class="buttons">
        <button class="main" type="submit">${words.submit} ${amountText(checkout)}</button>
        <button type="submit" name="button" value="cancel" formnovalidate>${words.cancel}</button>
      </div>
    </form>`,
  )
}

function securePage(checkout: Checkout): string {
  const { words } = wordsFor(checkout.locale)
  return page(
    checkout.locale,
    `<h2>3-D Secure: ${words.secureTitle}</h2>${amountBlock(checkout)}
    <p>${words.secure}</p>
    <form method="post">
      <label class="field">${words.secureCode}
        <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" required autofocus></label>
      <div class="buttons">
        <button class="main" type="submit" name="button" value="confirm">${words.confirm}</button>
        <button type="submit" name="button" value="decline" formnovalidate>${words.refuse}</button>
      </div>
    </form>`,
  )
}

function message(locale: string, kind: 'done' | 'closed'): string {
  const { words } = wordsFor(locale)
  return page(locale, `<h2>${words[`${kind}Title`]}</h2><p>${words[kind]}</p>`)
}

function amountBlock(checkout: Checkout): string {
  const { words } = wordsFor(checkout.locale)
  return `<p class="to">${words.payTo}</p><p class="amount">${amountText(checkout)}</p>
    <p class="small">${words.reference} <code>${escaped(checkout.ref)}</code></p>`
}

function productBlock(checkout: Checkout): string {
  if (checkout.products.length === 0) return ''
  const { words } = wordsFor(checkout.locale)
  const names = checkout.products.map((product) => productNames[product] ?? `#${product}`)
  return `<p class="small">${words.product} <strong>${names.map(escaped).join(', ')}</strong></p>`
}

function cardBlock(checkout: Checkout): string {
  const { words } = wordsFor(checkout.locale)
  return `<label class="field">${words.number}<input value="4111 1111 1111 1111" inputmode="numeric" autocomplete="off"></label>
    <div class="row">
      <label class="field">${words.expiry}<input value="12 / 30" inputmode="numeric" autocomplete="off"></label>
      <label class="field">${words.code}<input value="123" inputmode="numeric" autocomplete="off"></label>
    </div>
    <label class="field">${words.holder}<input value="Test Person" autocomplete="off"></label>`
}

function amountText(checkout: Checkout): string {
  const { language } = wordsFor(checkout.locale)
  const format = new Intl.NumberFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    style: 'currency',
    currency: checkout.currency,
  })
  return format.format(checkout.amount / 100)
}

function page(locale: string, content: string): string {
  const { language, words } = wordsFor(locale)
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}</title><style>${style}</style></head>
<body><header><h1>${words.title}</h1><p>${words.honest}</p></header><main>${content}</main></body></html>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function answerPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(html)
}

const style = `
:root { color-scheme: light dark; --page: #f3f1f7; --sheet: #fff; --text: #1e1a2b; --soft: #635d73; --line: #cdc7da; --main: #4b2e83; --on: #fff }
@media (prefers-color-scheme: dark) {
  :root { --page: #131019; --sheet: #1d1926; --text: #eeebf4; --soft: #aba3bd; --line: #453d57; --main: #b79df0; --on: #1a0f33 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, "Segoe UI", sans-serif }
header { background: repeating-linear-gradient(-45deg, #4b2e83 0 14px, #55368f 14px 28px); color: #fff; padding: 1rem max(1rem, calc(50vw - 15rem)) }
header h1 { margin: 0; font-size: 1.125rem } header p { margin: .25rem 0 0; font-size: .875rem }
main { max-width: 30rem; margin: 1.5rem auto; padding: 1.5rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px }
@media (max-width: 32rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 80vh } }
h2 { margin: 0 0 .75rem; font-size: 1.25rem } .to { margin: 0; color: var(--soft) }
.amount { margin: 0; font-size: 2.25rem; font-weight: 650; font-variant-numeric: tabular-nums }
.small { margin: .25rem 0 1rem; font-size: .875rem; color: var(--soft) }
.field { display: block; margin: 0 0 .75rem; font-size: .875rem } .row { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem }
input:not([type=radio]) { display: block; width: 100%; min-height: 44px; margin-top: .25rem; padding: 0 .75rem; font: inherit; font-size: 1rem; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: 5px }
fieldset { margin: 1rem 0; padding: .5rem 1rem .75rem; border: 1px solid var(--line); border-radius: 5px } legend { padding: 0 .25rem; font-weight: 600 }
.choice { display: flex; gap: .5rem; align-items: center; min-height: 36px } .choice input { flex: none; accent-color: var(--main); width: 18px; height: 18px }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem }
button { min-height: 44px; padding: 0 1.25rem; font: inherit; font-weight: 600; color: var(--main); background: transparent; border: 1px solid var(--main); border-radius: 5px; cursor: pointer }
button.main { flex: 1 1 12rem; color: var(--on); background: var(--main) }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
`

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

function wordsFor(locale: string): { language: string; words: Words } {
  return locale.startsWith('de') ? { language: 'de', words: words.de } : { language: 'en', words: words.en }
}
