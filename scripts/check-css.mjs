/**
 * Requires logical properties in style sheets, so that a screen is mirrored in right-to-left languages (ADR 184). A
 * line after a comment that starts with "physical:" is ignored. Plain JavaScript, like the pre-commit check.
 * `node scripts/check-css.mjs [file …]`; without files, all.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const value = String.raw`(?:[\w.%#-]+|(?:calc|var|min|max|clamp)\((?:[^()]|\([^()]*\))*\))`
const rules = [
  [/(?<![\w-])(?:scroll-)?(?:margin|padding)-(?:left|right)\s*:/, 'Write -inline-start or -inline-end.'],
  [/(?<![\w-])border-(?:left|right)[a-z-]*\s*:/, 'Write border-inline-start or border-inline-end.'],
  [/(?<![\w-])border-(?:top|bottom)-(?:left|right)-radius\s*:/, 'Write border-start-start-radius and the like.'],
  [/(?<![\w-])(?:left|right)\s*:(?!hover)/, 'Write inset-inline-start or inset-inline-end.'],
  [/(?<![\w-])(?:text-align|float|clear)\s*:\s*(?:left|right)\b/, 'Write start or end.'],
  [
    new RegExp(
      String.raw`(?<![\w-])(?:margin|padding|inset|border-(?:width|color|style))\s*:\s*${value}\s+(${value})\s+${value}\s+(?!\1\s*[;}])${value}\s*[;}]`,
    ),
    'Write -block and -inline: the two sides differ.',
  ],
]
const inCode = [[/\b(?:margin|padding|border|inset)(?:Left|Right)\w*\s*:/, 'Write marginInlineStart and the like.']]

const given = process.argv.slice(2).filter((file) => /\.(css|tsx)$/.test(file))
const faults = (process.argv.length > 2 ? given : everyFile()).flatMap(faultsIn)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

function everyFile() {
  return ['ui', 'portal', 'office', 'server'].flatMap((directory) =>
    readdirSync(directory, { recursive: true })
      .filter((file) => /\.(css|tsx)$/.test(file))
      .map((file) => join(directory, file)),
  )
}

/** @param {string} file */
function faultsIn(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    if (lines[at - 1]?.includes('/* physical: ')) return []
    const code = line.replace(/\/\*.*?\*\//g, '')
    return (file.endsWith('.css') ? rules : inCode)
      .filter(([pattern]) => pattern.test(code))
      .map(([, advice]) => `${file}:${at + 1}: a physical side. ${advice}`)
  })
}
