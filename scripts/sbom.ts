/**
 * `npm run sbom`: writes the software bill of materials of this version as CycloneDX, only from the lock files (that of
 * the fonts has one of its own), to dist/sbom.cdx.json or the path of the first argument.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readUsage } from './usage.mjs'

readUsage('sbom')

interface Bill {
  specVersion: string
  components: { 'bom-ref': string }[]
  dependencies: { ref: string }[]
  metadata: { component: { name: string } }
}

const root = dirname(import.meta.dirname)
const target = process.argv[2] ?? join(root, 'dist', 'sbom.cdx.json')
const npm = process.env['npm_execpath']
const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
const [program, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]

function billOf(folder: string): Bill {
  const options = { cwd: folder, encoding: 'utf8' as const, maxBuffer: 64 * 1024 * 1024 }
  return JSON.parse(execFileSync(program, [...first, ...words], options)) as Bill
}

const bill = billOf(root)
const fonts = billOf(join(root, 'fonts'))
const listed = new Set(bill.components.map((part) => part['bom-ref']))
bill.components.push(...fonts.components.filter((part) => !listed.has(part['bom-ref'])))
bill.dependencies.push(...fonts.dependencies.filter(({ ref }) => !listed.has(ref)))
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }
// npm names it after its directory.
bill.metadata.component.name = name
mkdirSync(dirname(target), { recursive: true })
writeFileSync(target, `${JSON.stringify(bill, null, 2)}\n`)
console.log(`${bill.components.length} components, CycloneDX ${bill.specVersion}: ${target}`)
