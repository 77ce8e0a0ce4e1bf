import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { officePaths } from '#contract/office-paths.ts'
import { settings } from '#contract/settings.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { FirmContext } from '#ui/layout/firm.ts'
import { LanguageSwitcher } from '#ui/i18n/language-switcher.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import '../../layout/top-bar.css'
import './sign-in.css'

/**
 * The frame of pages before sign-in: the dark bar with the back office's name, one card below. While the card's content
 * is loading only the bar is shown, because positions depend on the card's height.
 */
export function SignInFrame({ waiting = false, children }: { waiting?: boolean; children: ReactNode }) {
  const { t } = useLingui()
  const { data, error } = useEndpoint(settings, {}, { staleMs: Number.POSITIVE_INFINITY })
  return (
    <FirmContext value={data ? data.firm : null}>
      <div className="sign-in">
        <header className="office-top on-ink">
          <Logo href={officePaths.signIn} />
          {(data ?? error) && <span className="section-name office-top-name">{t`Back office`}</span>}
        </header>
        <main
          className="sign-in-main"
          id="content"
          data-waiting={waiting ? '' : undefined}
          aria-busy={waiting || undefined}
        >
          {waiting && (
            <p className="row muted" role="status">
              <Spinner />
              <Trans>Opening your link</Trans>
            </p>
          )}
          <div className="sheet padded">{children}</div>
          <footer className="sign-in-footer">
            <LanguageSwitcher />
            <span>{t`For staff only. Every sign-in is logged.`}</span>
          </footer>
        </main>
      </div>
    </FirmContext>
  )
}
