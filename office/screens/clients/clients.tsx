import { IconUserPlus } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { searchClients } from '#contract/office/clients.ts'
import { clientFlagLabels } from '#contract/office/flag-labels.ts'
import { clientFlags, clientStatuses } from '#rules/choices.ts'
import { clientMachine } from '#rules/clients.ts'
import { riskLevels } from '#rules/constants.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { dateInUrl, useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Pagination } from '#ui/data/pagination.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { useStatusLabel } from '#ui/data/status-badge.tsx'
import type { Sort } from '#ui/data/table.tsx'
import { useMayDo } from '../../session.ts'
import { DaysFilter, ExportButton, ListSearch, staysInField } from '../../records/list-tools.tsx'
import { usePages } from '../../records/pages.ts'
import { ClientTable } from './client-table.tsx'
import { InviteClientDialog } from './invite-client-dialog.tsx'
import './clients.css'

const levels = riskLevels.map((level) => `${level}` as const)

const address = z.object({
  list: z.optional(z.enum(['to-approve'])),
  q: z.optional(z.string()),
  state: z.optional(z.enum(clientMachine.states)),
  clientStatus: z.optional(z.enum(clientStatuses)),
  riskLevel: z.optional(z.enum(levels)),
  flag: z.optional(z.enum(clientFlags)),
  sort: z.optional(z.enum(['number', 'name', 'registeredAt'])),
  direction: z.optional(z.enum(['asc', 'desc'])),
  from: z.optional(dateInUrl),
  to: z.optional(dateInUrl),
})

/** Everybody, found by what a clerk has in hand; the address bar holds the filter. */
export default function Clients() {
  const { t } = useLingui()
  const [filters, setFilters] = useUrlState(address)
  const [inviting, setInviting] = useState(false)
  const invites = useMayDo('inviteClient')
  const { list, riskLevel, ...rest } = filters
  const isToApprove = list === 'to-approve'
  const sort: Sort = {
    by: filters.sort ?? 'number',
    direction: filters.direction ?? (filters.sort === 'name' ? 'asc' : 'desc'),
  }
  // Numbers are given in the order of the registrations.
  const newestFirst = sort.by !== 'name' && sort.direction === 'desc'
  const pages = usePages(JSON.stringify(filters), 50, !newestFirst)
  const asked = { ...rest, ...(isToApprove ? { toApprove: 'true' as const } : {}), ...(riskLevel ? { riskLevel } : {}) }
  const { data, error, isFetching, refetch } = useEndpoint(
    searchClients,
    { ...asked, cursor: pages.cursor, size: pages.size },
    { keepLast: true },
  )
  const filtered = Boolean(
    filters.q ?? filters.state ?? filters.clientStatus ?? riskLevel ?? filters.flag ?? filters.from ?? filters.to,
  )
  // Cleared fields are new ones: they forget a half-typed day too.
  const [cleared, setCleared] = useState(0)
  const clear = () => {
    setFilters({ q: '', state: '', clientStatus: '', riskLevel: '', flag: '', from: '', to: '' })
    setCleared(cleared + 1)
  }
  const instead = error ? (
    <ErrorPanel failure={error} onRetry={() => void refetch()} />
  ) : data?.rows.length === 0 ? (
    filtered ? (
      <EmptyState
        level="h2"
        title={<Trans>No matching clients</Trans>}
        action={
          <Button onMouseDown={staysInField} onClick={clear}>
            <Trans>Clear filters</Trans>
          </Button>
        }
      >
        {filters.q && (
          <Trans>Searched for “{filters.q}” in names, emails, client and account numbers, references and IBANs.</Trans>
        )}
      </EmptyState>
    ) : (
      <EmptyState level="h2" title={isToApprove ? <Trans>No clients to approve</Trans> : <Trans>No clients yet</Trans>}>
        {isToApprove && <Trans>Clients appear here after their identity and address documents are approved.</Trans>}
      </EmptyState>
    )
  ) : undefined
  return (
    <OfficePage>
      <PageHeader
        title={isToApprove ? t`Client approvals` : t`Clients`}
        action={
          invites &&
          !isToApprove && (
            <Button icon={<IconUserPlus className="small" aria-hidden="true" />} onClick={() => setInviting(true)}>
              <Trans>Invite client…</Trans>
            </Button>
          )
        }
      />
      <Filters key={cleared} filters={filters} isToApprove={isToApprove} onFilters={setFilters}>
        <ExportButton list="clients" asked={asked} />
      </Filters>
      <section className="sheet">
        <ClientTable
          rows={data?.rows ?? []}
          busy={isFetching}
          instead={instead}
          sort={sort}
          onSort={({ by, direction }) => setFilters({ sort: by, direction })}
        />
      </section>
      <Pagination {...pages.shown(data?.next)} />
      {inviting && <InviteClientDialog onClose={() => setInviting(false)} />}
    </OfficePage>
  )
}

interface FiltersProps {
  filters: z.output<typeof address>
  isToApprove: boolean
  onFilters: (change: Record<string, string>) => void
  children: ReactNode
}

function Filters({ filters, isToApprove, onFilters, children }: FiltersProps) {
  const { t } = useLingui()
  const flagLabel = useLabels(clientFlagLabels)
  const status = useStatusLabel()
  return (
    <div className="clients-filters">
      <ListSearch
        words={filters.q ?? ''}
        onWords={(q) => onFilters({ q })}
        label={t`Name, email, number, reference or IBAN`}
      />
      {!isToApprove && (
        <BareSelect
          aria-label={t`Status`}
          value={filters.state ?? ''}
          options={[
            { value: '', label: t`Any status` },
            ...clientMachine.states.map((state) => ({ value: state, label: status(state) })),
          ]}
          onChange={(event) => onFilters({ state: event.target.value })}
        />
      )}
      <BareSelect
        aria-label={t`Client status`}
        value={filters.clientStatus ?? ''}
        options={[
          { value: '', label: t`Any client status` },
          { value: 'retail', label: t`Retail` },
          { value: 'professional', label: t`Professional` },
        ]}
        onChange={(event) => onFilters({ clientStatus: event.target.value })}
      />
      <BareSelect
        aria-label={t`Risk level`}
        value={filters.riskLevel ?? ''}
        options={[
          { value: '', label: t`Any risk` },
          ...levels.map((level) => ({ value: level, label: t`Level ${level}` })),
        ]}
        onChange={(event) => onFilters({ riskLevel: event.target.value })}
      />
      <BareSelect
        aria-label={t`Flag`}
        value={filters.flag ?? ''}
        options={[
          { value: '', label: t`Any flag or none` },
          ...clientFlags.map((value) => ({ value, label: flagLabel(value) })),
        ]}
        onChange={(event) => onFilters({ flag: event.target.value })}
      />
      <DaysFilter from={filters.from ?? ''} to={filters.to ?? ''} onDays={onFilters} label={t`Registered`} />
      {children}
    </div>
  )
}
