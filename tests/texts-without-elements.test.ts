/**
 * A text written with `t` is a string: an element in it would read "[object Object]" (ui/README.md, rule about copy).
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)

interface Node {
  readonly type: string
  readonly name?: string
  readonly id?: Node
  readonly init?: Node | null
  readonly tag?: Node
  readonly quasi?: { readonly expressions: readonly Node[] }
  readonly consequent?: Node
  readonly alternate?: Node
}

function isElement(node: Node | null | undefined): boolean {
  if (!node) return false
  if (node.type === 'ConditionalExpression') return isElement(node.consequent) || isElement(node.alternate)
  return node.type === 'JSXElement' || node.type === 'JSXFragment'
}

/** Returns the names of elements that texts of a source contain, and "<>" for an element written in a text itself. */
function elementsInTexts(source: string): string[] {
  const elements = new Set<string>()
  const inTexts: Node[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach(look)
    const { type, id, init, tag, quasi } = node as Node
    if (type === 'VariableDeclarator' && id?.name !== undefined && isElement(init)) elements.add(id.name)
    if (type === 'TaggedTemplateExpression' && tag?.name === 't') inTexts.push(...(quasi?.expressions ?? []))
    Object.values(node).forEach(look)
  }
  look(parseAst(source, { lang: 'tsx' }))
  return inTexts
    .filter((node) => isElement(node) || (node.name !== undefined && elements.has(node.name)))
    .map(({ name }) => name ?? '<>')
}

test('no text written with t contains an element', () => {
  const files = globSync('{portal,office,ui}/**/*.tsx', { cwd: root, exclude: ['**/node_modules/**'] })
  expect(files.length).toBeGreaterThan(200)
  const wrong = files.flatMap((file) =>
    elementsInTexts(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(wrong).toEqual([])
})

test('finds a named element and one in the text itself', () => {
  const source = 'const back = late ? <b>1</b> : <i>2</i>; const n = 3; t`sent ${back} of ${n}`; t`sent ${<b />}`'
  expect(elementsInTexts(source)).toEqual(['back', '<>'])
})
