/** The bytes of the chart component, which is part of the account page's chunk (requirement 24.16). */
import { join, sep } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..', 'ui', 'charts')
const bytesMax = 6_000

/** Returns the charts' own code and styles, minified: what they import from elsewhere is left out. */
async function bundleCharts(): Promise<Map<string, string>> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    // The production runtime, whatever the tests' NODE_ENV.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      // Vite keeps whitespace in library builds, although this code is not published as a library.
      lib: { entry: ['chart.tsx', 'sparkline.tsx'].map((file) => join(folder, file)), formats: ['es'] },
      rolldownOptions: {
        output: { minify: true },
        external: (id, importer) => importer !== undefined && !id.startsWith('./') && !id.startsWith(folder + sep),
      },
    },
  })
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  return new Map(
    outputs.map((file) => [file.fileName, file.type === 'chunk' ? file.code : Buffer.from(file.source).toString()]),
  )
}

test('the chart component has at most 6 kB of code and styles', async () => {
  const files = await bundleCharts()
  const sizes = [...files].map(([name, text]) => [name, brotliCompressSync(text).length] as const)
  const sizesText = sizes.map(([name, bytes]) => `${bytes} ${name}`).join('\n')
  expect(sizesText).toContain('.css')
  const bytes = sizes.reduce((sum, [, one]) => sum + one, 0)
  expect(bytes, sizesText).toBeGreaterThan(1_000)
  expect(bytes, sizesText).toBeLessThanOrEqual(bytesMax)
})
