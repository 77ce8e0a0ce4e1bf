import '#ui/without-eval.ts'
import '#ui/theme/theme.css'
import '#ui/theme/office.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { officeBase, officePaths } from '#contract/office-paths.ts'
import { setSessionOfCalls } from '#ui/api/call.ts'
import { makeQueryClient } from '#ui/api/endpoint-query.ts'
import { restoreFocus } from '#ui/a11y/focus.ts'
import { startLanguage, type Catalogue } from '#ui/i18n/language.ts'
import { PrefetchContext } from '#ui/navigation/link.tsx'
import { parseRoute } from '#contract/routes.ts'
import { prefetchScreen } from '#ui/navigation/screens.tsx'
import { clearToasts } from '#ui/feedback/toasts.tsx'
import { hasExpired } from '#ui/auth/session.ts'
import { Office } from './layout/office.tsx'
import { screens } from './routes.tsx'
import { session } from './session.ts'

setSessionOfCalls(session)
// A stored token that has expired is a logout.
if (session.token() !== null && hasExpired(session.token(), new Date())) session.end('expired')

document.body.classList.add('office')

const queries = makeQueryClient()
session.subscribe(() => {
  // One person's data must not be kept for the next.
  if (session.token() !== null) return
  queries.clear()
  clearToasts()
})
const prefetch = (path: string) => prefetchScreen(screens, path)
// The first screen’s code loads in parallel with the messages.
const asked = location.pathname.slice(officeBase.length)
if (session.token() !== null) prefetch(asked.length > 1 ? asked : officePaths.inbox)

// Texts of the server are in the reader's language too.
i18n.on('change', () => void queries.invalidateQueries())

// Not awaited at the top level: the German messages share a chunk with this file, and would wait for it in turn.
void startLanguage(import.meta.glob<Catalogue>('./locales/*.po')).then(() => {
  setTimeout(renderApp)
})

/** Renders in a separate task after all code has run, so that a slow phone can respond to a touch in between. */
function renderApp(): void {
  restoreFocus()
  const place = document.getElementById('app')
  if (!place) throw new Error('index.html has no element for the app')
  createRoot(place).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <Router base="/office" parser={parseRoute}>
            <PrefetchContext value={prefetch}>
              <Office />
            </PrefetchContext>
          </Router>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )
}
