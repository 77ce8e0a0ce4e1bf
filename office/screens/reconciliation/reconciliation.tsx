import { IconCircleCheck } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useStateLabel } from '../../records/value-names.ts'
import { useSearch } from 'wouter'
import * as z from 'zod/mini'
import { listDifferences, reconcileNow } from '#contract/office/accounting.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useUrlState, changeQuery } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState, ErrorPanel, SentenceSkeleton } from '#ui/feedback/content-states.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { Time } from '#ui/text/time.tsx'
import { useDifferenceColumns } from '../../records/difference-list.tsx'
import { noAmountRange } from '../../records/amounts.ts'
import { useListFilters } from '../../records/list-filters.ts'
import { ClearFilters } from '../../records/list-rows.tsx'
import { RecordList } from '../../records/record-list.tsx'
import { useCanDo } from '../../session.ts'
import { DifferenceDrawer } from './difference-drawer.tsx'

const states = ['open', 'proposed', 'processing', 'settled', 'explained', 'gone'] as const
const address = z.object({ record: z.optional(z.string()) })

/** The discrepancies: one row each, with both sides and the age; finance explains those that stay. */
export default function Reconciliation() {
  const { t } = useLingui()
  const [{ record }, setAddress] = useUrlState(address)
  const filters = useListFilters({ states, sorts: ['foundAt'], direction: 'desc', amounts: 'signed' })
  const columns = useDifferenceColumns()
  const state = filters.state === '' ? 'open' : filters.state
  const asked = { ...filters.asked, state }
  const { q, days, amount } = filters
  const isSearched = [q, days.from, days.to, amount?.currency, amount?.amountFrom, amount?.amountTo].some(Boolean)
  const search = useSearch()
  const runs = useCanDo('reconcileNow')
  const read = useEndpoint(listDifferences, { ...filters.query, state }, { keepLast: true })
  const { data, error, refetch } = read
  const run = useEndpointMutation(reconcileNow, {
    refreshes: [listDifferences],
    onDone: ({ accounts, unread, differences }) =>
      showToast(
        () =>
          unread === 0
            ? t`Accounts reconciled: ${accounts}. Discrepancies: ${differences}.`
            : t`Accounts reconciled: ${accounts}. Discrepancies: ${differences}. Accounts that could not be read: ${unread}.`,
        { kind: unread === 0 ? 'ok' : 'bad' },
      ),
    onFailure: (failure) => showToast(() => failure.error, { kind: 'bad' }),
  })
  const stateLabel = useStateLabel()
  return (
    <OfficePage>
      <PageHeader
        title={t`Reconciliation`}
        action={
          runs && (
            <Button kind="primary" pending={run.isPending} onClick={() => run.mutate({})}>
              <Trans>Run reconciliation</Trans>
            </Button>
          )
        }
      >
        {data?.lastRun ? (
          <>
            <Trans>
              Ledger and platforms last reconciled on <Time at={data.lastRun.at} />.
            </Trans>{' '}
            <Plural value={data.lastRun.accounts} one="# account" other="# accounts" />,{' '}
            <Plural
              value={data.lastRun.differences}
              _0="no discrepancies between ledger and platforms"
              one="# discrepancy between ledger and platforms"
              other="# discrepancies between ledger and platforms"
            />
            .
            {data.lastRun.unread > 0 && (
              <>
                {' '}
                <Plural
                  value={data.lastRun.unread}
                  one="# account could not be reconciled: its platform did not respond, no longer has it, or sent values that cannot be read."
                  other="# accounts could not be reconciled: their platform did not respond, no longer has them, or sent values that cannot be read."
                />
              </>
            )}
          </>
        ) : !data ? (
          !error && <SentenceSkeleton />
        ) : (
          <Trans>Ledger and platforms have not been reconciled yet.</Trans>
        )}
      </PageHeader>
      <div className="stack">
        <Tabs
          label={t`Discrepancies`}
          tabs={states.map((one) => ({
            href: one === 'open' ? officePaths.reconciliation : `${officePaths.reconciliation}?state=${one}`,
            label: stateLabel('difference', one),
            current: one === state,
          }))}
        />
        <RecordList
          list="reconciliation"
          path={officePaths.reconciliation}
          caption={t`Discrepancies`}
          filters={filters}
          search={t`Account or reference`}
          exported={asked}
          columns={columns}
          read={read}
          rowKey={(row) => row.id}
          rowHref={(row) => officePaths.reconciliation + changeQuery(search, { record: row.id })}
          selectedKey={record ?? null}
          instead={
            error && !data ? (
              <ErrorPanel failure={error} onRetry={() => void refetch()} />
            ) : data?.rows.length === 0 ? (
              <EmptyState
                level="h2"
                icon={<IconCircleCheck aria-hidden="true" />}
                action={
                  isSearched && (
                    <ClearFilters
                      filters={{ clear: () => filters.set({ q: '', from: '', to: '', days: '', ...noAmountRange }) }}
                    />
                  )
                }
                title={
                  isSearched
                    ? t`No results for these filters.`
                    : state === 'open' && data.lastRun?.unread === 0
                      ? t`All reconciled`
                      : t`None yet`
                }
              >
                <Trans>Discrepancies between ledger, platforms, bank and card provider will appear here.</Trans>
              </EmptyState>
            ) : undefined
          }
        />
      </div>
      {record && <DifferenceDrawer id={record} onClose={() => setAddress({ record: undefined })} />}
    </OfficePage>
  )
}
