/**
 * Serves the two apps as files: hashed assets are public and cached for ever, pages are never cached. A page is served
 * for every address that is not a file, with the status 404 if unknown, so that the app itself explains it;
 * `/profile/x.css` is not a page.
 */
import { createHash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { officeBase } from '#contract/office-paths.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { isBehindSignIn, isRouteOf } from '#contract/routes.ts'
import { brandStylesheet } from '#rules/brand.ts'
import type { Language } from '#rules/choices.ts'
import { clientLanguage } from '#rules/client-language.ts'
import { BadConfig } from '../config/read-variable.ts'
import { isTransientError } from '../db/connection-errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { takesBrotli } from './compression.ts'
import { Problem, requireFound } from './problem.ts'
import { languageOf } from './register-endpoint.ts'
import { policyOfData } from './secure-headers.ts'

const yearSeconds = 31_536_000
const manifestFile = 'manifest.webmanifest'
const builtFolder = new URL('../../dist/', import.meta.url).pathname

/**
 * Placeholders in a page: its inline settings, and the files to preload for the login page or for the pages behind it.
 */
const settingsMark = '<!--settings-->'
const preloadMark = /<!--(login|main) ([^>]*)-->/g

export interface Pages {
  /** Serves the portal's page for an address that is also a call, such as /email/confirm/{id}. */
  portal(reply: FastifyReply, status?: number): Promise<FastifyReply>
}

/** The settings for visitors, embedded in the portal's page so that it needs no call for them. */
type VisitorSettings = (language: Language) => Promise<unknown>

/** Throws one sentence if production would have no pages to serve. */
export async function assertPagesBuilt({ production }: Pick<Dependencies['config'], 'production'>): Promise<void> {
  if (!production || ((await isBuilt('portal')) && (await isBuilt('office')))) return
  throw new BadConfig(
    "The pages of portal and back office are missing in dist/. Run 'npm run build' in this folder, or start the image.",
  )
}

function isBuilt(app: string): Promise<boolean> {
  return access(join(builtFolder, app, 'index.html')).then(
    () => true,
    () => false,
  )
}

/** Serves portal and office, if they have been built. */
export async function servePages(
  server: FastifyInstance,
  dependencies: Dependencies,
  visitorSettings: VisitorSettings,
): Promise<Pages> {
  const portal = await serveApp(server, 'portal', '/')
  const office = await serveApp(server, 'office', '/office/')
  const brand = brandReader(dependencies)
  server.get('/brand.css', async (_request, reply) => sendBrand(reply, await brand(), 300))
  server.get<{ Params: { hash: string } }>('/brand-:hash.css', async (request, reply) => {
    const current = await brand()
    // A page from before a change of brand still gets a stylesheet; only one that matches its hash is cached for ever.
    return sendBrand(reply, current, request.params.hash === current.hash ? yearSeconds : 0)
  })
  server.get('/manifest.webmanifest', async (_request, reply) => sendManifest(reply, dependencies))
  const send = async (page: string | null, reply: FastifyReply, status: number) => {
    if (page === null) throw new Problem('not-found')
    const { hash } = await brand()
    const path = pathOf(reply.request)
    const language = await offeredLanguage(dependencies, languageOf(reply.request))
    const brought = page.includes(settingsMark)
      ? await visitorSettings(language).catch(fallbackIfUnavailable(null))
      : null
    const html = page
      .replace('<!--brand-->', `<link rel="stylesheet" href="/brand-${hash}.css">`)
      .replace(preloadMark, (_, stage: string, files: string) => (stage === pageStage(path) ? preloadLinks(files) : ''))
      .replace(settingsMark, () => (brought === null ? '' : inlineJson('settings', language, brought)))
    return reply.status(status).header('content-type', 'text/html; charset=utf-8').send(html)
  }
  server.setNotFoundHandler(async (request, reply) => {
    if (!isPage(request)) throw new Problem('not-found')
    const path = pathOf(request)
    if (path !== officeBase && !path.startsWith(`${officeBase}/`))
      return send(await portal(), reply, isRouteOf('portal', path) ? 200 : 404)
    return send(await office(), reply, isRouteOf('office', path.slice(officeBase.length)) ? 200 : 404)
  })
  return { portal: async (reply, status = 200) => send(await portal(), reply, status) }
}

const signInPaths: readonly string[] = [
  portalPaths.home,
  portalPaths.login,
  officeBase,
  `${officeBase}/`,
  `${officeBase}/sign-in`,
]

function pageStage(path: string): 'login' | 'main' | null {
  if (signInPaths.includes(path)) return 'login'
  return isBehindSignIn(path) ? 'main' : null
}

function preloadLinks(files: string): string {
  const links = files
    .split(' ')
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="${file}">`
        : `<link rel="modulepreload" crossorigin href="${file}">`,
    )
  return links.join('')
}

/** Registers the hashed files of an app as static routes and returns its page as text. */
async function serveApp(server: FastifyInstance, app: string, base: string): Promise<() => Promise<string | null>> {
  const folder = join(builtFolder, app)
  if (!(await isBuilt(app))) return async () => null
  const shared = {
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    acceptRanges: false,
  } as const
  // Immutable files need no validators, and these headers only affect documents.
  const notOfFiles = ['permissions-policy', 'cross-origin-opener-policy']
  await server.register(async (files) => {
    files.setErrorHandler(sendNotFound)
    await files.register(fastifyStatic, {
      ...shared,
      root: join(folder, 'assets'),
      prefix: `${base}assets/`,
      etag: false,
      lastModified: false,
      setHeaders: (reply) => {
        for (const name of notOfFiles) reply.removeHeader(name)
        return reply
          .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
          .header('content-security-policy', policyOfData)
      },
    })
    await files.register(fastifyStatic, {
      ...shared,
      root: folder,
      prefix: base,
      wildcard: false,
      globIgnore: ['index.html', manifestFile, 'assets/**', '**/*.br', '**/*.gz', '**/*.part'],
      setHeaders: (reply) => reply.header('cache-control', 'public, max-age=300'),
    })
  })
  // Read each time: it is small, and otherwise a build while a server runs would leave it with names of removed files.
  return () => readFile(join(folder, 'index.html'), 'utf8')
}

/** Throws the caller’s problem for an address or header that the plugin rejects. */
function sendNotFound(error: FastifyError): never {
  const { statusCode = 500 } = error
  if (statusCode === 403 || statusCode === 404) throw new Problem('not-found')
  if (statusCode >= 400 && statusCode < 500) throw new Problem('malformed')
  throw error
}

interface Brand {
  readonly colour: string
  readonly css: string
  readonly compressed: Buffer
  readonly hash: string
}

/** Returns the firm's stylesheet, its brotli version and the hash of its text, created again when the brand changes. */
function brandReader(dependencies: Dependencies): () => Promise<Brand> {
  let made: Brand | null = null
  return async () => {
    const { brandColour } = await dependencies.settings.get('firm')
    if (made?.colour !== brandColour) {
      const css = brandStylesheet(brandColour)
      const hash = createHash('sha256').update(css).digest('hex').slice(0, 12)
      made = { colour: brandColour, css, compressed: brotliCompressSync(css), hash }
    }
    return made
  }
}

function sendBrand(reply: FastifyReply, { css, compressed }: Brand, keepSeconds: number): FastifyReply {
  const keep = keepSeconds === 0 ? 'no-store' : `public, max-age=${keepSeconds}`
  reply
    .header('content-type', 'text/css; charset=utf-8')
    .header('content-security-policy', policyOfData)
    .header('cache-control', keep)
    .header('vary', 'accept-encoding')
  return takesBrotli(reply.request) ? reply.header('content-encoding', 'br').send(compressed) : reply.send(css)
}

/** Sends the manifest that installs the portal on a device, with the firm's own name and colour. */
async function sendManifest(reply: FastifyReply, dependencies: Dependencies): Promise<FastifyReply> {
  const { name, brandColour } = await dependencies.settings.get('firm')
  const text = requireFound(await readFile(join(builtFolder, 'portal', manifestFile), 'utf8').catch(nullIfAbsent))
  const manifest = { ...(JSON.parse(text) as object), name, short_name: name, theme_color: brandColour }
  return reply
    .header('content-type', 'application/manifest+json; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .send(JSON.stringify(manifest))
}

/**
 * Returns an error handler that returns `instead` if the database does not respond, so that a page is served without
 * its data.
 */
function fallbackIfUnavailable<Value>(instead: Value) {
  return (error: unknown): Value => {
    if (isTransientError(error)) return instead
    throw error
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

const fileExtension = /\.[a-z0-9]{1,8}$/i

/** Returns whether a browser navigates to an address that is neither a file nor a call. */
function isPage(request: FastifyRequest): boolean {
  const path = pathOf(request)
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (path.startsWith('/api/') || path.startsWith('/public/') || path.startsWith('/assets/')) return false
  return !fileExtension.test(path) && !path.startsWith('/office/assets/')
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}

/** Returns the reader's language if the firm offers it, or else the firm's first one. */
async function offeredLanguage({ settings }: Pick<Dependencies, 'settings'>, wanted: Language): Promise<Language> {
  const { languages } = await settings.get('firm').catch(fallbackIfUnavailable({ languages: [wanted] }))
  return clientLanguage(languages, wanted)
}

export function inlineJson(id: string, language: Language, data: unknown): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${id}" lang="${language}">${json}</script>`
}
