import '#ui/without-eval.ts'
import '#ui/theme/theme.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { portalPaths } from '#contract/portal-paths.ts'
import { settings } from '#contract/settings.ts'
import { setSessionOfCalls } from '#ui/api/call.ts'
import { setEndpointData, makeQueryClient, prefetchEndpoint } from '#ui/api/endpoint-query.ts'
import { loadFormats } from '#ui/text/formats.ts'
import { restoreFocus } from '#ui/a11y/focus.ts'
import { startLanguage, type Catalogue } from '#ui/i18n/language.ts'
import { PrefetchContext } from '#ui/navigation/link.tsx'
import { clearToasts } from '#ui/feedback/toasts.tsx'
import { parseRoute } from '#contract/routes.ts'
import { prefetchScreen } from '#ui/navigation/screens.tsx'
import { hasExpired } from '#ui/auth/session.ts'
import { applyAppearance } from '#ui/theme/appearance.ts'
import { Portal } from './layout/portal.tsx'
import { fetchSignedInParts } from './layout/signed-in-parts.ts'
import { embeddedSettings, firmLanguages } from './portal-settings.ts'
import { screens } from './routes.tsx'
import { clientOf, session } from './session.ts'

applyAppearance()
setSessionOfCalls(session)
// A stored token that has expired is a logout (requirements 4.9).
if (session.token() !== null && hasExpired(session.token(), new Date())) {
  session.end('expired')
  leaveRegistration()
}

const queries = makeQueryClient()
const owner = () => clientOf(session.token(), new Date())?.id ?? null
let knownOwner = owner()
let wasSignedIn = session.token() !== null
session.subscribe(() => {
  const isSignedIn = session.token() !== null
  // One client's data must not be kept for the next; and a visitor's settings lack the client's payment methods.
  if (!isSignedIn) {
    queries.clear()
    clearToasts()
    leaveRegistration()
  } else if (!wasSignedIn) void queries.invalidateQueries()
  // A link in an email logged in another client, in this tab or another.
  else if (owner() !== knownOwner) void queries.resetQueries()
  wasSignedIn = isSignedIn
  knownOwner = owner()
})
const prefetch = (path: string) => prefetchScreen(screens, path)
// The first screen's code loads in parallel with the messages; a visitor's page redirects logged-in clients to their
// accounts.
const isHome = location.pathname === portalPaths.home || location.pathname === portalPaths.login
prefetch(wasSignedIn && isHome ? portalPaths.tradingAccounts : location.pathname)

// Texts of the server are in the reader's language too.
i18n.on('change', () => void queries.invalidateQueries())

// Not awaited at the top level: the German messages share a chunk with this file, and would wait for it in turn.
void start()

async function start(): Promise<void> {
  const parts = wasSignedIn ? fetchSignedInParts() : null
  await startLanguage(import.meta.glob<Catalogue>('./locales/*.po'), firmLanguages())
  // The page's embedded settings are rendered first; the client's own settings are requested later, like all other
  // data.
  const brought = embeddedSettings()
  if (!brought) prefetchEndpoint(queries, settings, {})
  else if (!wasSignedIn) setEndpointData(queries, settings, {}, brought)
  if (wasSignedIn) loadFormats(i18n.locale)
  // Rendered once with its whole frame, whose code the page preloads (server/http/pages.ts).
  await parts
  setTimeout(renderApp)
}

/** Leaves a registration whose session has ended, so that no empty first step is shown. */
function leaveRegistration(): void {
  if (location.pathname === portalPaths.register) navigate(portalPaths.home, { replace: true })
}

/** Renders in a separate task after all code has run, so that a slow phone can respond to a touch in between. */
function renderApp(): void {
  restoreFocus()
  const place = document.getElementById('app')
  if (!place) throw new Error('index.html has no element for the app')
  const root = createRoot(place)
  startTransition(() =>
    root.render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={queries}>
            <Router parser={parseRoute}>
              <PrefetchContext value={prefetch}>
                <Portal />
              </PrefetchContext>
            </Router>
          </QueryClientProvider>
        </I18nProvider>
      </StrictMode>,
    ),
  )
}
