import { useLingui } from '@lingui/react/macro'
import { getLiveAccounts } from '#contract/accounts.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { BareSelect } from '#ui/forms/select.tsx'
import { useStatusLabel } from '#ui/data/status-badge.tsx'
import { nameOf, numberText } from '../../funding/accounts.ts'
import { DaysFilter } from './days-filter.tsx'
import { type ChangeUrl, filtersOf, fromTheStart, type HistoryUrl, listStatuses } from './history-url.ts'

/** Account, status and days; each lives in the address. */
export function HistoryFilters({ address, change }: { address: HistoryUrl; change: ChangeUrl }) {
  const { t } = useLingui()
  const word = useStatusLabel()
  const { data } = useEndpoint(getLiveAccounts, { a: 'all', b: 'all' })
  const { account, status, from, to } = filtersOf(address)
  const accounts = (data?.accounts ?? []).flatMap(({ number, ...rest }) =>
    number === null ? [] : [{ value: number, label: `${numberText(number)} · ${nameOf(rest)}` }],
  )
  const unlisted = account !== undefined && !accounts.some(({ value }) => value === account)
  return (
    <div
      className="history-filters"
      role="group"
      aria-label={t`Filters`}
      // On a phone the row scrolls sideways, and the browser leaves a control that is half in view where it is.
      onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
    >
      <BareSelect
        className="small"
        aria-label={t`Account`}
        value={account ?? ''}
        onChange={(event) => change({ ...fromTheStart, account: event.target.value })}
        options={[
          { value: '', label: t`All accounts` },
          ...accounts,
          ...(unlisted ? [{ value: account, label: numberText(account) }] : []),
        ]}
      />
      <BareSelect
        className="small"
        aria-label={t`Status`}
        value={status ?? ''}
        onChange={(event) => change({ ...fromTheStart, status: event.target.value })}
        options={[
          { value: '', label: t`Any status` },
          ...listStatuses[address.list].map((state) => ({ value: state, label: word(state) })),
        ]}
      />
      <DaysFilter from={from} to={to} onDays={(days) => change({ ...fromTheStart, ...days })} />
    </div>
  )
}
