import { Trans, useLingui } from '@lingui/react/macro'
import type { getRecovery } from '#contract/office/recovery.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { useDealLabels } from './deal-labels.ts'

type Account = NonNullable<ResponseOf<typeof getRecovery>['recovery']>['unknownAccounts'][number]

/** Accounts that were opened on a platform in the lost period and have no record here. */
export function UnknownAccounts({ accounts }: { accounts: readonly Account[] }) {
  const { t } = useLingui()
  const word = useDealLabels()
  const sources = { group: t`Platform group`, operator: t`Operator list`, deal: t`Deal on the account` }
  const pending = accounts.some(({ disabledAt }) => disabledAt === null)
  return (
    <section className="stack">
      <h2>{t`Accounts without a record`}</h2>
      <p className="muted measure">
        <Trans>
          These accounts exist on the platform but not here. Two finance supervisors link each account to a client or
          keep it disabled.
        </Trans>{' '}
        {pending && (
          <Trans>Accounts that are not disabled yet will be disabled in the next run of the recover command.</Trans>
        )}
      </p>
      <div className="sheet">
        <Table
          caption={t`Accounts without a record`}
          rows={accounts}
          rowKey={({ platform, accountNumber }) => `${platform} ${accountNumber}`}
          columns={[
            {
              head: t`Account`,
              phone: 'title',
              cell: ({ platform, accountNumber }) => (
                <span className="numbers">
                  {platform} {groupedByFour(accountNumber)}
                </span>
              ),
            },
            { head: t`Group`, cell: ({ group }) => group },
            { head: t`Opened`, phone: 'time', cell: ({ openedAt }) => openedAt && <Time at={openedAt} /> },
            { head: t`Source`, cell: ({ source }) => sources[source] },
            { head: t`Found`, cell: ({ foundAt }) => <Time at={foundAt} /> },
            {
              head: t`Status`,
              phone: 'status',
              cell: ({ disabledAt }) =>
                disabledAt ? (
                  <Trans>
                    Disabled <Time at={disabledAt} />
                  </Trans>
                ) : (
                  <Trans>Not disabled yet</Trans>
                ),
            },
            {
              head: t`Decision`,
              phone: 'figure',
              cell: ({ item }) =>
                item && (
                  <Link href={officePaths.recoveryItem(item.id)}>
                    {item.state === 'open' && t`Decide`}
                    {item.state === 'proposed' && t`Confirm proposal`}
                    {item.state === 'settled' && word.action(item.action ?? 'keep', 'account-found')}
                  </Link>
                ),
            },
          ]}
        />
      </div>
    </section>
  )
}
