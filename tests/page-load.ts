/** The transferred bytes and requests of opening a page, and their budgets (requirements 25). */
import type { Page } from '@playwright/test'
import { pauseBriefly } from './until.ts'

export interface PageLoad {
  readonly requests: readonly { readonly address: string; readonly bytes: number }[]
  readonly bytes: number
  readonly scriptBytes: number
  readonly fontBytes: number
}

/** The budget of a page with an empty cache; bytes as transferred, compressed, with their headers. */
export interface Budget {
  readonly bytes: number
  readonly requests?: number
  readonly scriptBytes?: number
  readonly fontBytes?: number
}

const fontBytes = 40_000
export const signInBudget: Budget = { bytes: 157_000, requests: 9, scriptBytes: 110_000, fontBytes }
/** One request more than the pages before it: the results of all accounts (requirements 24.11). */
export const accountsBudget: Budget = { bytes: 186_000, requests: 15, fontBytes }
/** Without a separate limit for the font: the names of clients may need the letters of a second file. */
export const inboxBudget: Budget = { bytes: 217_000 }
export const weighedLanguages = ['en', 'de'] as const
type WeighedLanguage = (typeof weighedLanguages)[number]

/**
 * The limit of all bytes is the same in every language; texts other than English come as two more scripts (ADR 290).
 */
export function budgetIn(language: WeighedLanguage, { requests, scriptBytes, ...budget }: Budget): Budget {
  const [files, bytes] = language === 'en' ? [0, 0] : [2, 2_000]
  return {
    ...budget,
    ...(requests === undefined ? {} : { requests: requests + files }),
    ...(scriptBytes === undefined ? {} : { scriptBytes: scriptBytes + bytes }),
  }
}
/** A further screen's own chunk, compressed. */
export const chunkBytesMax = 40_000

/** The load is complete after this number of consecutive checks without a new request. */
const quietChecks = 10
const checkIntervalMs = 100

/** Stores the language in which the app will load next. */
export async function storeLanguage(page: Page, language: WeighedLanguage): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
}

/** Opens the page with an empty cache and waits until nothing more is loaded; a stream that stays open is ignored. */
export async function measureLoad(page: Page, path: string): Promise<PageLoad> {
  // Leaves the current page, whose own calls would be counted; the tab's storage is kept.
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const sent = new Map<string, { address: string; kind: string; bytes: number }>()
  let quiet = 0
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (request.url.startsWith('data:') || request.headers['accept'] === 'text/event-stream') return
    quiet = 0
    sent.set(requestId, { address: request.url, kind: type ?? 'Other', bytes: 0 })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = sent.get(requestId)
    if (!request) return
    quiet = 0
    request.bytes = encodedDataLength
  })
  await page.goto(path, { waitUntil: 'load' })
  for (; quiet < quietChecks; quiet += 1) await pauseBriefly(checkIntervalMs)
  await session.detach()
  const requests = [...sent.values()]
  const sum = (kind: string | null) =>
    requests.filter((one) => kind === null || one.kind === kind).reduce((total, { bytes }) => total + bytes, 0)
  return { requests, bytes: sum(null), scriptBytes: sum('Script'), fontBytes: sum('Font') }
}

/** Returns the bytes of scripts and styles of a load that another load has not. */
export function addedCodeBytes(load: PageLoad, before: PageLoad): number {
  const known = new Set(before.requests.map(({ address }) => address))
  return load.requests
    .filter(({ address }) => /\.(js|css)$/.test(address) && !known.has(address))
    .reduce((sum, { bytes }) => sum + bytes, 0)
}
