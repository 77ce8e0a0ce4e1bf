import { IconSearch } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  getOfficeAccountCurve,
  getOfficePositions,
  getOfficeStatements,
  getOfficeTrade,
  getOfficeTrades,
  getOfficeTradingAccount,
  officeStatementCsv,
  officeStatementPdf,
  officeTradesCsv,
  officeYearCsv,
  officeYearPdf,
} from '#contract/office/trading-accounts.ts'
import { officePaths } from '#contract/office-paths.ts'
import { AccountFigures } from '#ui/account/account-figures.tsx'
import type { AccountSource } from '#ui/account/account-source.ts'
import type { AccountAddress } from '#ui/account/account-url.ts'
import { AccountSections } from '#ui/account/account-sections.tsx'
import { withLateMark, type ShownAccount, useIsReadingLate } from '#ui/account/late-figures.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { EmptyState, ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Link } from '#ui/navigation/link.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { Time } from '#ui/text/time.tsx'

type Page = Omit<ResponseOf<typeof getOfficeTradingAccount>, 'account'> & { account: ShownAccount }

/** In ms. Open positions are polled as often, by which the account is watched and read from the platform. */
const pollMs = 15_000

const calls: AccountSource['calls'] = {
  curve: getOfficeAccountCurve,
  positions: getOfficePositions,
  trades: getOfficeTrades,
  csv: officeTradesCsv,
  trade: getOfficeTrade,
  statements: getOfficeStatements,
  statementPdf: officeStatementPdf,
  statementCsv: officeStatementCsv,
  yearPdf: officeYearPdf,
  yearCsv: officeYearCsv,
}

/** A client's trading account as the client sees it; the access is logged (requirements 24.8). */
export default function TradingAccount({ params }: ScreenProps) {
  const { platform, number = '' } = params
  const isAddress = (platform === 'MT4' || platform === 'MT5') && /^\d{1,20}$/.test(number)
  return (
    <OfficePage>
      {isAddress ? (
        <AccountPage key={`${platform} ${number}`} platform={platform} number={number} />
      ) : (
        <NoSuchAccount />
      )}
    </OfficePage>
  )
}

function AccountPage(address: AccountAddress) {
  const { t } = useLingui()
  const { data: read, error, dataUpdatedAt, refetch } = useEndpoint(getOfficeTradingAccount, { ...address }, { pollMs })
  const isLate = useIsReadingLate(dataUpdatedAt)
  const data = read && { ...read, account: withLateMark(read.account, isLate) }
  const number = groupedByFour(address.number)
  useWindowTitle(t`Account ${number}`)
  if (error && !data)
    return error instanceof ApiError && error.code === 'not-found' ? (
      <NoSuchAccount />
    ) : (
      <ErrorPanel level="h1" failure={error} onRetry={() => void refetch()} />
    )
  return (
    <>
      <header className="account-head">
        <p className="section-name">{t`Trading account`}</p>
        <h1 className="numbers">{number}</h1>
        <p className="muted size-14">{data ? <AccountLine page={data} /> : <Skeleton width={280} />}</p>
      </header>
      <AccountFigures
        page={data}
        platform={address.platform}
        reader="staff"
        missingSince={data?.missingSince}
        onRetry={() => void refetch()}
      />
      {data && <Sections page={data} address={address} />}
    </>
  )
}

function AccountLine({ page: { account, client, demo, openedAt } }: { page: Page }) {
  const { t } = useLingui()
  return (
    <>
      <Link href={officePaths.client(client.id)}>{client.name}</Link> {demo && <span className="tag">{t`Demo`}</span>} ·{' '}
      {account.platform} · {account.type} · {account.baseCurrency} · {leverageText(account.leverage)}
      {account.nickname !== '' && <> · {account.nickname}</>}
      {openedAt && (
        <>
          {' '}
          ·{' '}
          <Trans>
            opened <Time at={openedAt} />
          </Trans>
        </>
      )}
    </>
  )
}

const markPaths = {
  deposits: officePaths.deposit,
  withdrawals: officePaths.withdrawal,
  transfers: officePaths.transfer,
} as const

function Sections({ page, address }: { page: Page; address: AccountAddress }) {
  const source: AccountSource = {
    reader: 'staff',
    address,
    calls,
    markPath: ({ list, id }) => markPaths[list](id),
    listPath: (list) => officePaths.paymentsOfAccount(list, address.number),
    begin: null,
    clockMinutes: page.clockMinutes,
  }
  return (
    <AccountSections
      source={source}
      page={page}
      inTerminal={<Trans>You can see open positions, pending orders and closed trades in MetaTrader 4.</Trans>}
    />
  )
}

function NoSuchAccount() {
  const { t } = useLingui()
  return (
    <>
      <h1>{t`Trading account`}</h1>
      <EmptyState level="h2" icon={<IconSearch aria-hidden="true" />} title={<Trans>Account not found</Trans>}>
        <Link href={officePaths.clients}>{t`All clients`}</Link>
      </EmptyState>
    </>
  )
}
