/** What stands around every page behind the sign-in: its code comes with the first of these pages, not with the login's. */
import { awaited } from '#ui/loading/lazy.tsx'

const bell = awaited(async () => (await import('./notification-bell.tsx')).default)
const menuDrawer = awaited(async () => (await import('./menu-drawer.tsx')).default)
/** Asked of approved clients once (declaration), or until they have bank details. */
const prompts = awaited(async () => (await import('./prompts.tsx')).default)

export const [Bell, MenuDrawer, Prompts] = [bell.View, menuDrawer.View, prompts.View]

/** Fetches all of them; what fails shows itself where it is drawn. */
export async function fetchSignedInParts(): Promise<void> {
  await Promise.allSettled([bell.load(), menuDrawer.load(), prompts.load()])
}
