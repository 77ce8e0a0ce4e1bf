import { Trans, useLingui } from '@lingui/react/macro'
import type { getRecovery } from '#contract/office/recovery.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { groupedByFour } from '#ui/grouped.ts'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'

type Account = NonNullable<AnswerOf<typeof getRecovery>['recovery']>['unknownAccounts'][number]

/** Accounts that were opened at a platform in the lost time and that no record here has. */
export function UnknownAccounts({ accounts }: { accounts: readonly Account[] }) {
  const { t } = useLingui()
  return (
    <section className="stack">
      <h2>
        <Trans>Accounts without a record</Trans>
      </h2>
      <p className="muted measure">
        <Trans>
          These accounts exist at the platform, but not here. They have been disabled. Find out whose they are before
          you enable or close them at the platform.
        </Trans>
      </p>
      <div className="sheet">
        <Table
          caption={t`Accounts without a record`}
          rows={accounts}
          rowKey={({ platform, accountNumber }) => `${platform} ${accountNumber}`}
          columns={[
            {
              key: 'account',
              head: t`Account`,
              phone: 'title',
              cell: ({ platform, accountNumber }) => (
                <span className="numbers">
                  {platform} {groupedByFour(accountNumber)}
                </span>
              ),
            },
            { key: 'group', head: t`Group`, cell: ({ group }) => group },
            {
              key: 'opened',
              head: t`Opened`,
              phone: 'time',
              cell: ({ openedAt }) => (openedAt ? <Time at={openedAt} /> : <Trans>Named by the operator</Trans>),
            },
            {
              key: 'state',
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
          ]}
        />
      </div>
    </section>
  )
}
