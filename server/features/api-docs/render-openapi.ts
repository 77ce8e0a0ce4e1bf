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
export function renderDocument(document: object, jsonPath: string): string {
  const { info, paths } = document as Document
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(method, path, operation)),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(info.title)} API</title><link rel="stylesheet" href="/brand.css"><link rel="stylesheet" href="/api/docs/docs.css"></head><body><main><h1>${escape(info.title)} API</h1><p>${calls.length} calls, drawn from the schemas that check them. Bearer token in the Authorization header; money as decimals, times in seconds. <a href="${jsonPath}">OpenAPI 3.1 as JSON</a></p>${calls.join('')}</main></body></html>`
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const parts = [
    ['Parameters', operation.parameters],
    ['Takes', operation.requestBody],
    ['Answers', operation.responses],
  ] as const
  const shown = parts
    .filter(([, part]) => part !== undefined && JSON.stringify(part) !== '[]')
    .map(([title, part]) => `<h2>${title}</h2><pre>${escape(JSON.stringify(part, null, 2))}</pre>`)
  return `<details><summary><b>${method.toUpperCase()}</b><code>${escape(path)}</code><span>${escape(operation.summary ?? '')}</span></summary>${shown.join('')}</details>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
