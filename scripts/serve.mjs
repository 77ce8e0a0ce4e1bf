/** Starts one server (serve.ts) in production. An older Node cannot read TypeScript and gets one sentence. */
import { wrongNode } from './node-version.mjs'

const wrong = wrongNode()
if (wrong === null) await import('./serve.ts')
else {
  console.error(`${wrong} Install it, or start the image.`)
  process.exitCode = 1
}
