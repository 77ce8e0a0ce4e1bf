/**
 * The API documents: the portal's are public, the back office's are for staff. The page is plain HTML rendered here and
 * loads no script (requirements 15.9).
 */
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { openApiDocument } from '#contract/openapi.ts'
import { staffRoles } from '#rules/actors.ts'
import { bearerOf, authorize } from '../../http/register-endpoint.ts'
import { resolveCaller, anonymous } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'

export function apiDocsRoutes(server: FastifyInstance, dependencies: Dependencies): void {
  const portal = documentOnDemand(portalEndpoints, 'Client portal', '/api/docs/json')
  const office = documentOnDemand(officeEndpoints, 'Back office', '/api/backoffice/docs/json')
  const html = 'text/html; charset=utf-8'
  server.get('/api/docs', async (_request, reply) => reply.header('content-type', html).send(portal().page))
  server.get('/api/docs/json', async () => portal().document)
  server.get('/api/docs/docs.css', async (_request, reply) =>
    reply.header('content-type', 'text/css; charset=utf-8').send(style),
  )
  server.register(async (staffOnly) => {
    staffOnly.addHook('onRequest', async (request) => {
      const token = bearerOf(request)
      const caller =
        token &&
        (await resolveCaller(dependencies.pool, dependencies.keys, token, ['office'], dependencies.now(), false))
      authorize(staffRoles, caller || anonymous)
    })
    staffOnly.get('/api/backoffice/docs', async (_request, reply) =>
      reply.header('content-type', html).send(office().page),
    )
    staffOnly.get('/api/backoffice/docs/json', async () => office().document)
  })
}

/**
 * Returns a function that returns the document of these endpoints and its page. Both are rendered at the first request,
 * because rendering them takes longer than the rest of a server's registration of routes.
 */
function documentOnDemand(endpoints: readonly Endpoint[], title: string, jsonPath: string) {
  let rendered: { readonly document: object; readonly page: string } | null = null
  return () => {
    if (rendered === null) {
      const document = openApiDocument(endpoints, { title })
      rendered = { document, page: renderDocument(document, jsonPath) }
    }
    return rendered
  }
}

const style = `body{margin:0;background:var(--page);color:var(--text);font:16px/24px "Instrument Sans","Segoe UI",system-ui,sans-serif}
main{max-width:960px;margin:0 auto;padding:40px 24px 80px}h1{font-size:28px;line-height:34px;font-weight:600;margin:0 0 8px}
p{color:var(--text-2);margin:0 0 16px;max-width:62ch}a{color:var(--brand-text)}
details{border-bottom:1px solid var(--line)}summary{display:flex;gap:12px;padding:12px 0;cursor:pointer;align-items:baseline;flex-wrap:wrap}
summary b{width:56px;font-size:12px;letter-spacing:.05em;font-weight:600}summary code{font-weight:500;overflow-wrap:anywhere}summary span{color:var(--text-2);font-size:14px;flex:1 1 320px}
pre{margin:0 0 16px;padding:16px;border:1px solid var(--line);border-radius:5px;background:var(--surface);overflow:auto;font-size:13px;line-height:18px}
h2{font-size:14px;margin:8px 0 4px;font-weight:600}:focus-visible{outline:2px solid var(--focus);outline-offset:2px}`

/** Renders an OpenAPI document as a readable page. */

interface Operation {
  readonly summary?: string
  readonly parameters?: unknown
  readonly requestBody?: unknown
  readonly responses?: unknown
}

interface Document {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Returns the HTML of the document: one expandable section per endpoint, with its request and responses. */
function renderDocument(document: object, jsonPath: string): string {
  const { info, paths } = document as Document
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(method, path, operation)),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(info.title)} API</title><link rel="stylesheet" href="/brand.css"><link rel="stylesheet" href="/api/docs/docs.css"></head><body><main><h1>${escapeHtml(info.title)} API</h1><p>${calls.length} calls, drawn from the schemas that check them. Bearer token in the Authorization header; money as decimals, times in seconds. <a href="${jsonPath}">OpenAPI 3.1 as JSON</a></p>${calls.join('')}</main></body></html>`
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const parts = [
    ['Parameters', operation.parameters],
    ['Takes', operation.requestBody],
    ['Answers', operation.responses],
  ] as const
  const shown = parts
    .filter(([, part]) => part !== undefined && JSON.stringify(part) !== '[]')
    .map(([title, part]) => `<h2>${title}</h2><pre>${escapeHtml(JSON.stringify(part, null, 2))}</pre>`)
  return `<details><summary><b>${method.toUpperCase()}</b><code>${escapeHtml(path)}</code><span>${escapeHtml(operation.summary ?? '')}</span></summary>${shown.join('')}</details>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
