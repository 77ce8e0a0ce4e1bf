import '../without-eval.ts'
import '../theme/theme.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { setSessionOfCalls } from '../api/call.ts'
import { makeQueryClient } from '../api/endpoint-query.ts'
import { FirmContext } from '../layout/firm.ts'
import { startLanguage } from '../i18n/language.ts'
import { Toasts } from '../feedback/toasts.tsx'
import { browserSession } from '../auth/session.ts'
import { Gallery } from './gallery.tsx'

setSessionOfCalls(browserSession(sessionStorage, 'kit.token'))
await startLanguage({ './locales/de.po': () => import('../locales/de.po') })
const place = document.getElementById('app')
if (place)
  createRoot(place).render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={makeQueryClient()}>
        <FirmContext value={{ name: 'Calder Row', logoUrl: null, supportEmail: 'support@calderrow.example' }}>
          <Gallery />
          <Toasts />
        </FirmContext>
      </QueryClientProvider>
    </I18nProvider>,
  )
