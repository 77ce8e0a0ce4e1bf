/** A file on its way out: its type, its name, a sandbox around it (security-checklist 3.2.1, 5.4.1). */
import type { FastifyReply } from 'fastify'

const policy = "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"

/**
 * Sends stored bytes. Pictures may be shown in the page; a PDF is always a download, since a browser's own reader would
 * run it outside of the sandbox.
 */
export function sendFile(reply: FastifyReply, file: { label: string; mediaType: string }, bytes: Buffer): FastifyReply {
  const way = file.mediaType.startsWith('image/') ? 'inline' : 'attachment'
  return reply
    .header('content-type', file.mediaType)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store, private')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-disposition', `${way}; ${names(file.label)}`)
    .send(bytes)
}

/** The name in ASCII and, for every reader of RFC 8187, as it is. */
function names(label: string): string {
  const plain = label.replace(/[^\w.-]/g, '_')
  return `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(label).replace(/['()*]/g, escapeByte)}`
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
