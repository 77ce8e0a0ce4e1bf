/**
 * Compiles English messages in the code for Lingui; German ones are compiled at build time. Supports what the macros
 * write: `{name}`, `{count, plural, one {# item} other {# items}}`, `{kind, select, …}`, nested. Lingui's own compiler
 * supports all of ICU and is five times as large on the login page.
 */

type CompiledPart = string | CompiledArgument
type CompiledArgument = [name: string] | [name: string, kind: string, cases: Record<string, unknown>]

/** Returns the compiled message; a malformed one is returned unchanged. */
export function compileMessage(message: string): CompiledPart[] {
  const reader = { text: message, at: 0 }
  const parts = readParts(reader, false)
  return reader.at === message.length ? parts : [message]
}

interface Reader {
  readonly text: string
  at: number
}

function readParts(reader: Reader, inCount: boolean): CompiledPart[] {
  const parts: CompiledPart[] = []
  let words = ''
  const closeWords = () => {
    if (words !== '') parts.push(words)
    words = ''
  }
  while (reader.at < reader.text.length && reader.text[reader.at] !== '}') {
    const character = reader.text[reader.at] ?? ''
    if (character === "'" && isQuote(reader)) words += readQuoted(reader)
    else if (character === '{') {
      closeWords()
      parts.push(readArgument(reader))
    } else if (character === '#' && inCount) {
      closeWords()
      parts.push('#')
      reader.at++
    } else {
      words += character
      reader.at++
    }
  }
  closeWords()
  return parts
}

/** Returns whether an apostrophe is a quote: it is literal unless doubled or before a brace. */
function isQuote(reader: Reader): boolean {
  return /^'['{}#]/.test(reader.text.slice(reader.at, reader.at + 2))
}

function readQuoted(reader: Reader): string {
  if (reader.text[reader.at + 1] === "'") {
    reader.at += 2
    return "'"
  }
  const end = reader.text.indexOf("'", reader.at + 2)
  const quoted = reader.text.slice(reader.at + 1, end < 0 ? undefined : end)
  reader.at = end < 0 ? reader.text.length : end + 1
  return quoted
}

function readArgument(reader: Reader): CompiledArgument {
  reader.at++
  const name = readUntil(reader, ',}')
  if (reader.text[reader.at] === '}') {
    reader.at++
    return [name]
  }
  reader.at++
  const kind = readUntil(reader, ',}')
  const cases: Record<string, unknown> = { offset: undefined }
  if (reader.text[reader.at] === ',') reader.at++
  while (reader.at < reader.text.length && reader.text[reader.at] !== '}') {
    const label = readUntil(reader, '{}')
    const offset = /^offset:\s*(\d+)\s*(.*)$/.exec(label)
    if (offset) cases['offset'] = Number(offset[1])
    if (reader.text[reader.at] !== '{') break
    reader.at++
    cases[(offset?.[2] ?? label).replace(/^=/, '')] = readParts(reader, kind !== 'select')
    reader.at++
    while (/\s/.test(reader.text[reader.at] ?? '')) reader.at++
  }
  reader.at++
  return [name, kind, cases]
}

/** Reads up to one of the characters, and trims the result. */
function readUntil(reader: Reader, marks: string): string {
  const begun = reader.at
  while (reader.at < reader.text.length && !marks.includes(reader.text[reader.at] ?? '')) reader.at++
  return reader.text.slice(begun, reader.at).trim()
}
