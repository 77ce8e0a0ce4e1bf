import { Trans, useLingui } from '@lingui/react/macro'
import type { OfficeClient } from '#contract/office/clients.ts'
import { getClientResults } from '#contract/office/trading-accounts.ts'
import { officePaths } from '#contract/office-paths.ts'
import type { Currency } from '#rules/money.ts'
import { ResultSparkline } from '#ui/account/result-line.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'

type Account = OfficeClient['accounts'][number]

/** Live and demo accounts with the platforms' balances. */
export function AccountsCard({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const results = useEndpoint(getClientResults, { id: client.id }, { enabled: client.accounts.length > 0 })
  const resultOf = ({ platform, number }: Account) =>
    results.data?.accounts.find((one) => one.platform === platform && one.number === number)
  return (
    <section className="sheet">
      <header>
        <h2>{t`Trading accounts`}</h2>
        <span className="muted">{t`Balances from the platforms`}</span>
      </header>
      <Table
        caption={t`Trading accounts`}
        rows={client.accounts}
        rowKey={(account) => account.id}
        instead={
          client.accounts.length === 0 ? (
            <EmptyState title={<Trans>No accounts yet</Trans>}>
              {(client.state === 'registering' || client.state === 'pending') && (
                <Trans>The account chosen at registration will be requested when the client is approved.</Trans>
              )}
            </EmptyState>
          ) : undefined
        }
        columns={[
          { head: t`Number`, phone: 'title', cell: (account) => <NumberCell account={account} /> },
          { head: t`Platform`, phone: 'time', cell: (account) => <PlatformCell account={account} /> },
          { head: t`Leverage`, cell: (account) => leverageText(account.leverage) },
          { head: t`Balance`, align: 'right', phone: 'figure', cell: (account) => <Figure fact={account.balance} /> },
          {
            head: t`Equity`,
            align: 'right',
            cell: ({ number, equity }) => number !== null && <Figure fact={equity} />,
          },
          {
            head: t`Reserved`,
            align: 'right',
            cell: (account) =>
              account.number === null ? null : (
                <Money amount={{ minor: account.reserved, currency: account.currency }} />
              ),
          },
          {
            head: t`Result, 30 days`,
            cell: (account) => {
              const result = resultOf(account)
              return result && <ResultSparkline currency={account.currency} values={result.values} />
            },
          },
          { head: t`Balances as of`, wideOnly: true, cell: (account) => <Time at={account.balance.at} /> },
          {
            head: t`Status`,
            phone: 'status',
            cell: (account) => <StatusBadge record="account" state={account.state} />,
          },
        ]}
      />
    </section>
  )
}

function NumberCell({ account }: { account: Account }) {
  const { t } = useLingui()
  if (account.state === 'pending') return <Link href={officePaths.accountRequest(account.id)}>{t`Request`}</Link>
  return (
    <span className="strong unbroken">
      {account.number === null ? (
        '–'
      ) : (
        <Link href={officePaths.account(account.platform, account.number)}>{groupedByFour(account.number)}</Link>
      )}{' '}
      {account.requestType === 'demo' && <span className="tag">{t`Demo`}</span>}
    </span>
  )
}

function PlatformCell({ account }: { account: Account }) {
  return (
    <>
      {account.platform} · {account.type}
      {account.clientStatus === 'professional' && (
        <>
          {' '}
          · <Trans>Professional</Trans>
        </>
      )}
      {account.nickname && <div className="muted">{account.nickname}</div>}
      {account.balance.at && (
        <span className="client-read muted">
          <Trans>
            as of <Time at={account.balance.at} />
          </Trans>
        </span>
      )}
    </>
  )
}

function Figure({ fact }: { fact: { amount: bigint | null; currency: Currency } }) {
  return fact.amount === null ? (
    <span className="muted">{fact.currency}</span>
  ) : (
    <Money amount={{ minor: fact.amount, currency: fact.currency }} />
  )
}
