/** Response headers of a file: its type, its name and a sandbox (ASVS 3.2.1, 5.4.1). */
import type { FastifyReply } from 'fastify'

const policy = "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
/** The browser's own reader shows the PDF; nothing in this response runs or loads anything (requirements 6.13). */
const policyOfPdf = "sandbox; default-src 'none'"

/** Sends stored bytes: images and PDFs are shown in the browser, in a sandbox; anything else is a download. */
export function sendFile(reply: FastifyReply, file: { label: string; mediaType: string }, bytes: Buffer): FastifyReply {
  const isPdf = file.mediaType === 'application/pdf'
  const way = isPdf || file.mediaType.startsWith('image/') ? 'inline' : 'attachment'
  return reply
    .header('content-type', file.mediaType)
    .header('content-security-policy', isPdf ? policyOfPdf : policy)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store, private')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-disposition', `${way}; ${names(file.label)}`)
    .send(bytes)
}

/** Returns the name in ASCII and, for readers of RFC 8187, unchanged. */
function names(label: string): string {
  const plain = label.replace(/[^\w.-]/g, '_')
  return `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(label).replace(/['()*]/g, escapeByte)}`
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
