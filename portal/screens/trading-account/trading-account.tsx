import { IconArrowLeft, IconSearch } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type Account, getDemoAccounts, getLiveAccounts } from '#contract/accounts.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { getStatements, statementCsv, statementPdf, yearCsv, yearPdf } from '#contract/statements.ts'
import {
  getAccountCurve,
  getOpenPositions,
  getTrade,
  getTrades,
  getTradingAccount,
  tradesCsv,
} from '#contract/trading-history.ts'
import { AccountFigures } from '#ui/account/account-figures.tsx'
import type { AccountSource } from '#ui/account/account-source.ts'
import type { AccountAddress } from '#ui/account/account-url.ts'
import { AccountSections } from '#ui/account/account-sections.tsx'
import { isNewAccount } from '#ui/account/equity-curve.tsx'
import type { PushedTrades } from '#ui/account/open-positions.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { EmptyState, ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { Link } from '#ui/navigation/link.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { leverageText } from '#ui/text/code-format.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { canPayOut, accountName, accountNumberText } from '../../funding/accounts.ts'
import { type Live, useLiveFigures, withLive } from '../../live-figures.ts'
import { usePortalSettings, usePossiblePayments } from '../../portal-settings.ts'
import { UnderFirmNotice } from '../trading-accounts/under-firm-notice.tsx'

const AccountSettingsDialog = lazyPart(
  async () => (await import('../trading-accounts/dialogs.ts')).AccountSettingsDialog,
)

const pollMs = 60_000

const calls = {
  curve: getAccountCurve,
  positions: getOpenPositions,
  trades: getTrades,
  csv: tradesCsv,
  trade: getTrade,
  statements: getStatements,
  statementPdf,
  statementCsv,
  yearPdf,
  yearCsv,
}

type Page = ResponseOf<typeof getTradingAccount>

/** The page of one account: its current equity, and how it developed (requirements 24.11). */
export default function TradingAccount({ params }: ScreenProps) {
  const { t } = useLingui()
  const { platform, number = '' } = params
  if ((platform !== 'MT4' && platform !== 'MT5') || !/^\d{1,20}$/.test(number))
    return (
      <>
        <PageHeader title={t`Trading account`} />
        <NoSuchAccount />
      </>
    )
  return <AccountPage key={`${platform} ${number}`} platform={platform} number={number} />
}

function AccountPage(address: AccountAddress) {
  const { t } = useLingui()
  const { data, error, dataUpdatedAt, refetch } = useEndpoint(getTradingAccount, { ...address }, { pollMs })
  // The accounts page has just loaded it: its name is available immediately.
  const live = useEndpoint(getLiveAccounts, { a: 'all', b: 'all' }, { enabled: false })
  const demo = useEndpoint(getDemoAccounts, {}, { enabled: false })
  const known = [...(live.data?.accounts ?? []), ...(demo.data?.accounts ?? [])].find(
    ({ platform, number }) => platform === address.platform && number === address.number,
  )
  const pushed = useLiveFigures(data && [data.account], {
    answeredAt: dataUpdatedAt,
    trades: data?.history === 'kept' || data?.history === 'reading',
  })
  const account = data?.account ?? known
  return (
    <UnderFirmNotice>
      <Link
        href={data?.demo ? portalPaths.demoAccounts : portalPaths.tradingAccounts}
        className="account-back lone-link"
      >
        <IconArrowLeft className="small" aria-hidden="true" />
        <Trans>Trading accounts</Trans>
      </Link>
      <PageHeader
        title={account ? accountName(account) : t`Trading account`}
        action={data && <Actions page={withLivePage(data, pushed)} />}
      >
        {account ? (
          <span className="numbers">
            <AccountLine account={account} demo={data?.demo ?? false} />
          </span>
        ) : (
          !error && <Skeleton width={210} />
        )}
      </PageHeader>
      {error && !data ? (
        error instanceof ApiError && error.code === 'account-unknown' ? (
          <NoSuchAccount />
        ) : (
          <ErrorPanel failure={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <AccountFigures
            page={data && withLivePage(data, pushed)}
            platform={address.platform}
            reader="client"
            onRetry={() => void refetch()}
          />
          {data && (
            <Sections
              page={withLivePage(data, pushed)}
              address={address}
              trades={pushed.trades.get(data.account._id)}
            />
          )}
        </>
      )}
    </UnderFirmNotice>
  )
}

/** Returns the page with its account's pushed figures. */
function withLivePage(page: Page, live: Live) {
  return { ...page, ...movingFigures(page, live), account: withLive(page.account, live) }
}

/** Returns margin and unrealised P&L, from the pushed figures if they are newer. */
function movingFigures(page: Page, live: Live): { margin: bigint | null; floating: bigint | null } {
  const pushed = live.figures.get(page.account._id)
  const isNewer = pushed?.figuresAt && (page.account.figuresAt === null || pushed.figuresAt >= page.account.figuresAt)
  if (!pushed || !isNewer) return page
  const { balance, equity, credit, margin } = pushed
  const known = balance !== null && equity !== null && credit !== null
  return { margin, floating: known ? equity - balance - credit : null }
}

function AccountLine({ account, demo }: { account: Account; demo: boolean }) {
  const { t } = useLingui()
  return (
    <>
      {accountNumberText(account.number ?? '')}
      {demo && (
        <>
          {' '}
          <span className="tag">{t`Demo`}</span>
        </>
      )}{' '}
      · {account.platform} · {account.type} · {leverageText(account.leverage)}
    </>
  )
}

function Actions({ page }: { page: Page }) {
  const { t } = useLingui()
  const possible = usePossiblePayments()
  const [isOpen, setOpen] = useState(false)
  const { account, standing } = page
  return (
    <>
      {!page.demo && standing === 'open' && !isNewAccount(page) && possible.deposits && account.number && (
        <ButtonLink size="small" kind="tinted" href={portalPaths.depositToAccount(account.number)}>
          <Trans>FUND NOW</Trans>
        </ButtonLink>
      )}
      {!page.demo && standing !== 'not-connected' && possible.withdrawals && canPayOut(account) && account.number && (
        <ButtonLink size="small" href={portalPaths.withdrawFromAccount(account.number)}>{t`WITHDRAW`}</ButtonLink>
      )}
      <Button size="small" onClick={() => setOpen(true)}>{t`SETTINGS`}</Button>
      {isOpen && <AccountSettingsDialog account={account} onClose={() => setOpen(false)} />}
    </>
  )
}

interface SectionsProps {
  page: Page
  address: AccountAddress
  trades: PushedTrades | undefined
}

function Sections({ page, address, trades }: SectionsProps) {
  const { t } = useLingui()
  const isFundable = usePossiblePayments().deposits
  const [firstDate] = usePortalSettings()?.notice?.dates ?? []
  const source: AccountSource = {
    reader: 'client',
    address,
    calls,
    clockMinutes: page.clockMinutes,
    markPath: ({ list, id }) => portalPaths.history(list, id),
    listPath: (list) => portalPaths.historyOfAccount(list, address.number),
    begin: !page.demo && page.standing === 'open' && isFundable && (
      <ButtonLink kind="tinted" size="small" href={portalPaths.depositToAccount(address.number)}>
        <Trans>FUND NOW</Trans>
      </ButtonLink>
    ),
  }
  return (
    <AccountSections
      source={source}
      page={page}
      pushed={trades}
      closeBy={page.demo || page.account.closed ? undefined : firstDate}
      inTerminal={
        <>
          <Trans>You can see your open positions, pending orders and closed trades in MetaTrader 4.</Trans>{' '}
          <Link href={portalPaths.platforms('mt4')}>{t`Install MetaTrader 4`}</Link>
        </>
      }
    />
  )
}

function NoSuchAccount() {
  const { t } = useLingui()
  return (
    <EmptyState level="h2" icon={<IconSearch aria-hidden="true" />} title={<Trans>Account not found</Trans>}>
      <Link className="lone-link" href={portalPaths.tradingAccounts}>{t`All trading accounts`}</Link>
    </EmptyState>
  )
}
