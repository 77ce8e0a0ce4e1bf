/** The hosted pages, where the client pays. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf } from '../process/http.ts'
import { mayPay } from './store.ts'
import type { Store, Checkout } from './store.ts'
import { style } from './style.ts'
import { wordsFor } from './words.ts'

const secureCode = '123456'
const productNames: Readonly<Record<number, string>> = {
  1: 'Visa',
  3: 'Mastercard',
  114: 'Visa Debit',
  117: 'Maestro',
  119: 'Debit Mastercard',
  122: 'Visa Electron',
  809: 'iDEAL',
  /** Of this simulator alone: a real provider tells its own number. */
  9001: 'AstroPay',
}
const cardProducts = [1, 3, 114, 117, 119, 122]

/** Serves GET and POST /checkout/{id}. */
export async function servePage(book: Store, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const checkout = book.checkout(/^\/checkout\/([^/]+)$/.exec(url.pathname)?.[1] ?? '')
  if (checkout === undefined) return answerPage(response, 404, message('en_GB', 'done'))
  if (checkout.life !== 'open' && !mayPay(checkout)) return answerPage(response, 410, message(checkout.locale, 'done'))
  if (request.method !== 'POST') return answerPage(response, 200, payPage(checkout))
  const form = new URLSearchParams((await bodyOf(request)).toString('utf8'))
  decide(book, checkout, form, response)
}

function decide(book: Store, checkout: Checkout, form: URLSearchParams, response: ServerResponse): void {
  const action = form.get('button') ?? form.get('action')
  if (action === 'challenge') return answerPage(response, 200, securePage(checkout))
  if (action === 'confirm') {
    book.act(checkout.id, form.get('code') === secureCode ? 'pay' : 'decline')
    return goBack(checkout, response)
  }
  if (action === 'close') {
    book.act(checkout.id, 'pay')
    return answerPage(response, 200, message(checkout.locale, 'closed'))
  }
  if (action === 'pay' || action === 'decline' || action === 'cancel' || action === 'pend') {
    book.act(checkout.id, action)
    return goBack(checkout, response)
  }
  answerPage(response, 400, payPage(checkout))
}

function goBack(checkout: Checkout, response: ServerResponse): void {
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
