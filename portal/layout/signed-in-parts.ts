/** The layout of all pages after login. Its code is loaded with the first of these pages, not with the login page. */
import { awaitPart } from '#ui/loading/lazy.tsx'

const bell = awaitPart(async () => (await import('./notification-bell.tsx')).default)
const menuDrawer = awaitPart(async () => (await import('./menu-drawer.tsx')).default)
/** Asked of approved clients once (declaration), or until they have bank details. */
const prompts = awaitPart(async () => (await import('./prompts.tsx')).default)

export const [Bell, MenuDrawer, Prompts] = [bell.View, menuDrawer.View, prompts.View]

/** Fetches all of them; what fails shows itself where it is drawn. */
export async function fetchSignedInParts(): Promise<void> {
  await Promise.allSettled([bell.load(), menuDrawer.load(), prompts.load()])
}
