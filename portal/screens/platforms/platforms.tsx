import {
  IconBrandAndroid,
  IconBrandApple,
  IconBrandWindows,
  IconDeviceLaptop,
  IconDownload,
  IconExternalLink,
} from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { CopyButton } from '#ui/data/copy-button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { type PortalSettings, usePortalSettings } from '../../portal-settings.ts'
import './platforms.css'

type Target = 'mt4' | 'mt5'

/**
 * The vendor's installers; the mobile links include the firm's servers. Those for Mac are on the vendor's older host.
 */
const vendor = 'https://download.terminal.free/cdn'
const olderHost = 'https://download.mql5.com/cdn'
const installers = {
  mt4: {
    windows: `${vendor}/web/metaquotes.software.corp/mt4/mt4setup.exe`,
    mac: `${olderHost}/web/metaquotes.software.corp/mt4/MetaTrader4.dmg`,
  },
  mt5: {
    windows: `${vendor}/web/metaquotes.ltd/mt5/mt5setup.exe`,
    mac: `${olderHost}/web/metaquotes.ltd/mt5/MetaTrader5.pkg.zip`,
  },
} as const

function mobileAppUrl(
  target: Target,
  system: 'ios' | 'android',
  servers: PortalSettings['platforms'][Target] | undefined,
): string {
  const names = servers
    ? `?server=${[servers.demo, servers.live].map((name) => encodeURIComponent(name)).join(',')}`
    : ''
  return `${vendor}/mobile/${target}/${system}${names}`
}

/** MT4 and MT5: a tab changes the route. */
export default function Platforms() {
  const { t } = useLingui()
  const [path] = useLocation()
  const target: Target = path === portalPaths.platforms('mt5') ? 'mt5' : 'mt4'
  const name = target === 'mt4' ? 'MetaTrader 4' : 'MetaTrader 5'
  const servers = usePortalSettings()?.platforms[target]
  return (
    <div className="stack-6">
      <PageHeader title={t`Platforms`}>
        <Trans>Install the platform. Then log in with your account number and trading password.</Trans>
      </PageHeader>
      <Tabs
        label={t`Platforms`}
        tabs={[
          { href: portalPaths.platforms('mt4'), label: 'MT4', current: target === 'mt4' },
          { href: portalPaths.platforms('mt5'), label: 'MT5', current: target === 'mt5' },
        ]}
      />
      <ul className="platform-cards">
        <Card
          icon={<IconBrandWindows aria-hidden="true" />}
          title={t`${name} for Windows`}
          href={installers[target].windows}
        >
          <Trans>Windows 10 or newer</Trans>
        </Card>
        <Card
          icon={<IconBrandApple aria-hidden="true" />}
          title={t`${name} for iOS`}
          href={mobileAppUrl(target, 'ios', servers)}
          newTab
        >
          <Trans>iPhone and iPad. Our servers are preset.</Trans>
        </Card>
        <Card
          icon={<IconBrandAndroid aria-hidden="true" />}
          title={t`${name} for Android`}
          href={mobileAppUrl(target, 'android', servers)}
          newTab
        >
          <Trans>Phones and tablets. Our servers are preset.</Trans>
        </Card>
        <Card icon={<IconDeviceLaptop aria-hidden="true" />} title={t`${name} for Mac`} href={installers[target].mac}>
          <Trans>macOS 10.15 or newer</Trans>
        </Card>
      </ul>
      {servers && (
        <section className="sheet padded platform-servers">
          <h2 className="title-3">{t`Servers`}</h2>
          <p className="muted size-14">{t`Choose a server when you log in to the platform.`}</p>
          <dl>
            <Server label={<Trans>Live accounts</Trans>} name={servers.live} />
            <Server label={<Trans>Demo accounts</Trans>} name={servers.demo} />
          </dl>
        </section>
      )}
    </div>
  )
}

interface CardProps {
  icon: ReactNode
  title: string
  href: string
  newTab?: boolean
  children: ReactNode
}

function Card({ icon, title, href, newTab = false, children }: CardProps) {
  const tab = newTab ? { target: '_blank' } : {}
  return (
    <li className="sheet padded platform-card">
      <span className="platform-mark">{icon}</span>
      <h2 className="title-3">{title}</h2>
      <p className="muted size-14">{children}</p>
      <ButtonLink
        kind="tinted"
        size="small"
        href={href}
        {...tab}
        icon={<IconDownload className="small" aria-hidden="true" />}
        iconAfter={newTab ? <IconExternalLink className="small" aria-hidden="true" /> : undefined}
      >
        <Trans>DOWNLOAD</Trans>
        <span className="unseen">
          {' '}
          {title}
          {newTab && (
            <>
              {' '}
              (<Trans>opens in a new tab</Trans>)
            </>
          )}
        </span>
      </ButtonLink>
    </li>
  )
}

function Server({ label, name }: { label: ReactNode; name: string }) {
  const { t } = useLingui()
  return (
    <div>
      <dt>{label}</dt>
      <dd className="row">
        <b className="strong">{name}</b>
        <CopyButton text={name} name={t`Copy the server ${name}`} />
      </dd>
    </div>
  )
}
