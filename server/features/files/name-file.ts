/** A file's label: the sender's name made safe, under the client and the time (requirements 29.5). */
import type { ClientId } from '#rules/ids.ts'

const originalBytesMax = 120
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** `{clientId}_{timestamp}_{originalname}`, at most 255 bytes; the extension is that of the content. */
export function safeLabel(clientId: ClientId, timestamp: number, filename: string, extension: string): string {
  return `${clientId}_${timestamp}_${safeStem(filename)}.${extension}`
}

/** Letters, digits, hyphens and points are kept; all else, directions and controls among it, becomes one hyphen. */
function safeStem(filename: string): string {
  const name = filename.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const stem = name
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
  const short = cut(stem)
  return short === '' || reserved.test(short) ? 'file' : short
}

function cut(text: string): string {
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > originalBytesMax) break
    kept += character
  }
  return kept
}
