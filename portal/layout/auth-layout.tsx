import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Logo } from '#ui/layout/logo.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { FirmNoticeDates } from '#ui/feedback/firm-notice.tsx'
import { type PortalSettings, usePortalSettings } from '../portal-settings.ts'
import { PanelButtons } from './panel-buttons.tsx'
import './auth-layout.css'
import { LanguageSwitcher } from '#ui/i18n/language-switcher.tsx'

const LegalDialog = lazyPart(async () => (await import('./legal-dialog.tsx')).default)

/** Pages for people who are not logged in: the firm's notice on the dark half, one form beside it. */
export function AuthLayout({ children }: { children: ReactNode }) {
  const settings = usePortalSettings()
  return (
    <div className="entrance">
      <NoticePanel settings={settings} />
      <main className="entrance-form" id="content">
        <div className="entrance-column">{children}</div>
        <AuthFooter settings={settings} />
      </main>
    </div>
  )
}

function NoticePanel({ settings }: { settings: PortalSettings | undefined }) {
  const { t } = useLingui()
  const notice = settings?.notice
  return (
    <section
      className="entrance-notice on-ink"
      data-waiting={settings ? undefined : ''}
      aria-label={notice ? t`Firm notice` : (settings?.firm.name ?? t`Firm notice`)}
    >
      <Logo />
      {settings && (notice ? <NoticeBand settings={settings} notice={notice} /> : null)}
      <div className="entrance-words">
        {notice && <NoticeText settings={settings} notice={notice} />}
        {settings && !notice && <Welcome firm={settings.firm.name} />}
      </div>
      <p className="entrance-risk">{settings?.legalTexts.riskDisclosure?.text.split(/\n/)[0]}</p>
    </section>
  )
}

type Notice = NonNullable<PortalSettings['notice']>

function NoticeText({ settings, notice }: { settings: PortalSettings; notice: Notice }) {
  const { t } = useLingui()
  return (
    <>
      <p className="section-name">{t`Firm notice`}</p>
      <h2 className="entrance-title">{notice.title}</h2>
      {notice.lines.map((line) => (
        <p key={line} className="entrance-lead">
          {line}
        </p>
      ))}
      {notice.dates.length > 0 && <FirmNoticeDates notice={notice} />}
      <p className="entrance-questions">
        <Trans>
          Questions: <a href={`mailto:${settings.firm.supportEmail}`}>{settings.firm.supportEmail}</a>
        </Trans>
      </p>
    </>
  )
}

/** On phones the notice is a collapsed band above the form. */
function NoticeBand({ settings, notice }: { settings: PortalSettings; notice: Notice }) {
  const { t } = useLingui()
  const first = notice.dates[0]
  return (
    <details className="entrance-band">
      <summary>
        <span className="section-name">{t`Firm notice`}</span>
        <b>{first ? `${first.when}: ${first.what}` : notice.title}</b>
        <span className="entrance-band-open">{t`Read the notice`}</span>
        <span className="entrance-band-fold">{t`Hide notice`}</span>
      </summary>
      <NoticeText settings={settings} notice={notice} />
    </details>
  )
}

/** Shown if the firm has no notice: explains what the portal offers. */
function Welcome({ firm }: { firm: string }) {
  const { t } = useLingui()
  return (
    <>
      <h2 className="entrance-title">{t`All your trading accounts in one place`}</h2>
      <p className="entrance-lead">{t`Your balances, payments and requests at ${firm}.`}</p>
      <dl className="firm-notice-dates">
        <div>
          <dt>{t`Accounts`}</dt>
          <dd>{t`Balances of your MT4 and MT5 accounts, live and demo.`}</dd>
        </div>
        <div>
          <dt>{t`Payments`}</dt>
          <dd>{t`Every deposit, withdrawal and transfer, with its reference and status.`}</dd>
        </div>
        <div>
          <dt>{t`Documents`}</dt>
          <dd>{t`Stored encrypted. Only the staff who review them have access.`}</dd>
        </div>
      </dl>
    </>
  )
}

function AuthFooter({ settings }: { settings: PortalSettings | undefined }) {
  const { t } = useLingui()
  const [shown, setShown] = useState<'privacy' | 'terms' | null>(null)
  const text = shown && settings?.legalTexts[shown]
  return (
    <footer className="entrance-footer">
      <LanguageSwitcher />
      <span className="row">
        <PanelButtons />
        <button type="button" className="text-button" onClick={() => setShown('terms')}>{t`Terms`}</button>
        <button type="button" className="text-button" onClick={() => setShown('privacy')}>{t`Privacy`}</button>
      </span>
      {text && <LegalDialog text={text} onClose={() => setShown(null)} />}
    </footer>
  )
}
