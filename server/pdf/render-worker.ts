/**
 * A thread that draws papers, one at a time: laying out a page, or only loading what lays it out, then stops nobody who is
 * being answered.
 */
import { parentPort } from 'node:worker_threads'

export interface PaperTask {
  /** Address of the module whose `draw` draws it. */
  readonly drawer: string
  readonly facts: readonly unknown[]
}

export type PaperAnswer = { readonly done: Uint8Array } | { readonly failed: string }

interface Drawer {
  draw(...facts: readonly unknown[]): Promise<Buffer>
}

async function answer({ drawer, facts }: PaperTask): Promise<PaperAnswer> {
  try {
    const { draw } = (await import(drawer)) as Drawer
    return { done: await draw(...facts) }
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', (task: PaperTask) => {
  void answer(task).then((given) => parentPort?.postMessage(given))
})
