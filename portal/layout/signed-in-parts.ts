/** The layout of all pages after login. Its code is loaded with the first of these pages, not with the login page. */
import { preloadablePart } from '#ui/loading/lazy.tsx'

const bell = preloadablePart(async () => (await import('./notification-bell.tsx')).default)
const menuDrawer = preloadablePart(async () => (await import('./menu-drawer.tsx')).default)
/** Shown to approved clients: the declaration once, and bank details until there are some. */
const prompts = preloadablePart(async () => (await import('./prompts.tsx')).default)

export const [Bell, MenuDrawer, Prompts] = [bell.View, menuDrawer.View, prompts.View]

/** Fetches all of them; a failure is shown where the part is rendered. */
export async function fetchSignedInParts(): Promise<void> {
  await Promise.allSettled([bell.load(), menuDrawer.load(), prompts.load()])
}
