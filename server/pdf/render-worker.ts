/**
 * Renders one PDF at a time on a thread of its own, so that neither the layout nor loading its libraries delays
 * responses.
 */
import { parentPort } from 'node:worker_threads'

export interface RenderTask {
  /** Address of the module whose `draw` draws it. */
  readonly drawer: string
  readonly facts: readonly unknown[]
}

export type RenderResult = { readonly done: Uint8Array } | { readonly failed: string }

interface Renderer {
  render(...facts: readonly unknown[]): Promise<Buffer>
}

async function answer({ drawer, facts }: RenderTask): Promise<RenderResult> {
  try {
    const { render: draw } = (await import(drawer)) as Renderer
    return { done: await draw(...facts) }
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', (task: RenderTask) => {
  void answer(task).then((given) => parentPort?.postMessage(given))
})
