import { IconUserPlus } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import type { ReactNode } from 'react'
import { searchClients } from '#contract/office/clients.ts'
import { officePaths } from '#contract/office-paths.ts'
import { clientSteps, funnelLabels } from '#contract/office/reports.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { clientFlags, clientStatuses } from '#rules/choices.ts'
import { clientMachine } from '#rules/clients.ts'
import { reviews } from '#rules/reviews.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { useStatusLabel, StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { useCanDo } from '../../session.ts'
import { useListFilters } from '../../records/list-filters.ts'
import { rowsPlaceholder, keepFieldFocus } from '../../records/list-rows.tsx'
import { StatusFilter } from '../../records/list-tools.tsx'
import { type ListColumn, RecordList } from '../../records/record-list.tsx'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'
import { ClientFilters, levels, useChosenFilters } from './client-filters.tsx'
import { InviteClientDialog } from './invite-client-dialog.tsx'
import { countryName } from '../../decision/country-name.ts'

const address = z.object({
  list: z.catch(z.optional(z.enum(['to-approve'])), undefined),
  clientStatus: z.catch(z.optional(z.enum(clientStatuses)), undefined),
  riskLevel: z.catch(z.optional(z.enum(levels)), undefined),
  flag: z.catch(z.optional(z.enum(clientFlags)), undefined),
  reached: z.catch(z.optional(z.enum(clientSteps)), undefined),
  review: z.catch(z.optional(z.enum(reviews)), undefined),
})

/** All clients, searched by name, number or email address; the URL contains the filters. */
export default function Clients() {
  const { t } = useLingui()
  const [{ list, ...own }] = useUrlState(address)
  const invites = useCanDo('inviteClient')
  const [open, setOpen] = useFormFromUrl(invites ? ['invite'] : [])
  const isToApprove = list === 'to-approve'
  const part = isToApprove ? { toApprove: 'true' as const } : {}
  const filters = useListFilters({
    states: isToApprove ? [] : clientMachine.states,
    sorts: ['number', 'name', 'registeredAt'],
    direction: 'desc',
    own,
    part,
  })
  const read = useEndpoint(searchClients, { ...filters.query, ...own, ...part }, { keepLast: true })
  const columns = useClientColumns()
  const chosen = useChosenFilters(own)
  const step = useLabels(funnelLabels)
  const status = useStatusLabel('client')
  const instead = rowsPlaceholder(
    read,
    filters.filtered ? (
      <EmptyState
        level="h2"
        title={<Trans>No matching clients</Trans>}
        action={<Button onMouseDown={keepFieldFocus} onClick={filters.clear}>{t`Clear filters`}</Button>}
      >
        {filters.q && (
          <Trans>Searched for “{filters.q}” in names, emails, client and account numbers, references and IBANs.</Trans>
        )}
      </EmptyState>
    ) : (
      <EmptyState level="h2" title={isToApprove ? <Trans>No clients to approve</Trans> : <Trans>No clients yet</Trans>}>
        {isToApprove && <Trans>Clients appear here after their identity and address documents are approved.</Trans>}
      </EmptyState>
    ),
  )
  return (
    <OfficePage>
      <PageHeader
        title={isToApprove ? t`Client approvals` : t`Clients`}
        action={
          invites &&
          !isToApprove && (
            <Button icon={<IconUserPlus className="small" aria-hidden="true" />} onClick={() => setOpen('invite')}>
              <Trans>Invite client…</Trans>
            </Button>
          )
        }
      >
        {chosen.join(' · ')}
      </PageHeader>
      <RecordList
        list="clients"
        path={officePaths.clients}
        caption={t`Clients`}
        filters={filters}
        search={t`Name, email, number, reference or IBAN`}
        days={own.reached ? step('began') : t`Registered`}
        own={
          <>
            {!isToApprove && (
              <StatusFilter filters={filters} states={clientMachine.states} word={status} standard={t`Any status`} />
            )}
            <ClientFilters own={own} onFilters={filters.set} />
          </>
        }
        columns={columns}
        rowKey={(row) => row.client.id}
        rowHref={(row) => officePaths.client(row.client.id)}
        read={read}
        busy={read.isFetching}
        instead={instead}
      />
      {open && <InviteClientDialog onClose={() => setOpen(null)} />}
    </OfficePage>
  )
}

type Row = ResponseOf<typeof searchClients>['rows'][number]

/** Returns the columns of the list of clients. */
function useClientColumns(): ListColumn<Row>[] {
  const { t, i18n } = useLingui()
  return [
    { key: 'name', head: t`Name`, sort: 'name', phone: 'title', cell: (row) => <Name row={row} /> },
    {
      key: 'number',
      head: t`Number`,
      sort: 'number',
      phone: 'figure',
      cell: (row) => <span className="numbers">{row.client.number}</span>,
    },
    {
      key: 'email',
      head: t`Email`,
      phone: 'time',
      cell: (row) => <span className="muted">{withBreakBeforeAt(row.client.email)}</span>,
    },
    {
      key: 'country',
      head: t`Country, risk level`,
      cell: (row) => `${countryName(row.client.country, i18n.locale)} · ${row.client.riskLevel}`,
    },
    {
      key: 'kind',
      head: t`Client category`,
      wideOnly: true,
      cell: (row) => (row.client.clientStatus === 'professional' ? t`Professional` : t`Retail`),
    },
    {
      key: 'registered',
      head: t`Registered`,
      sort: 'registeredAt',
      cell: (row) => <Time at={row.registeredAt} form="day" />,
    },
    {
      key: 'waiting',
      head: t`Pending`,
      align: 'right',
      cell: (row) =>
        row.waiting > 0 ? <span className="tone-wait strong">{row.waiting}</span> : <span className="faint">–</span>,
    },
    {
      key: 'state',
      head: t`Status`,
      phone: 'status',
      cell: (row) => <StatusBadge record="client" state={row.client.status} />,
    },
  ]
}

function Name({ row }: { row: Row }) {
  const { t } = useLingui()
  const { flags } = row.client
  return (
    <b className="strong">
      {row.client.name}{' '}
      {flags.length > 0 && (
        <span className="tag bad">
          {flags.includes('sanction') ? t`Sanctions` : flags.includes('pep') ? t`PEP` : t`Enhanced monitoring`}
        </span>
      )}
    </b>
  )
}

/** An address that breaks before its @ where it has to. */
function withBreakBeforeAt(email: string): ReactNode {
  const at = email.lastIndexOf('@')
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}
