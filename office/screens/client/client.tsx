import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import {
  getClientBank,
  getClientEvents,
  getClientExposure,
  getClientMails,
  getClientMoney,
} from '#contract/office/client-tabs.ts'
import { officePaths } from '#contract/office-paths.ts'
import { lookUpClient } from '#contract/office/search.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { refreshEndpoints, useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, EmptyState, Skeleton } from '#ui/feedback/content-states.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { OtherViewers } from '../../decision/record-page.tsx'
import { type Acknowledging, useAcknowledged } from '../../decision/decision.tsx'
import { DecisionChecks } from '../../decision/decision-checks.tsx'
import { useViewers } from '../../decision/use-viewers.ts'
import { useChanges } from '../../layout/changes.ts'
import { useCanRead } from '../../session.ts'
import { AccountsCard } from './accounts-card.tsx'
import { BankTab } from './bank-tab.tsx'
import { RecordError } from '../../decision/record-parts.tsx'
import { ApprovalBar } from './approval-bar.tsx'
import { ClientHead } from './client-head.tsx'
import { ClientSidebar } from './client-sidebar.tsx'
import { DocumentsCard } from './documents-card.tsx'
import { ErasureSection } from './erasure-section.tsx'
import { LoginsTab } from './logins-tab.tsx'
import { MailsTab } from './mails-tab.tsx'
import { MoneyTab } from './money-tab.tsx'
import { PaymentHold } from './payment-hold.tsx'
import { ProfileCard } from './profile-card.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { PendingCard } from './pending-card.tsx'
import { Pagination } from '#ui/data/pagination.tsx'
import { EventTable } from '../../records/event-table.tsx'
import { useListPages } from '../../records/pages.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { useStateLabel } from '../../records/value-names.ts'
import './client.css'

const tabs = ['overview', 'profile', 'documents', 'accounts', 'money', 'bank', 'mails', 'logins', 'timeline'] as const
type Tab = (typeof tabs)[number]
const address = z.object({ tab: z._default(z.enum(tabs), 'overview'), opened: z.optional(z.literal('search')) })

/** The page of one client; from a link of the search only once its opening has been logged (requirements 24.8). */
export default function Client({ params }: ScreenProps) {
  const id = params['id'] ?? ''
  const [{ opened }, setAddress] = useUrlState(address)
  if (!opened) return <OpenedClient id={id} />
  return <LogClientAccess key={id} id={id} onLogged={() => setAddress({ opened: undefined })} />
}

function LogClientAccess({ id, onLogged }: { id: string; onLogged: () => void }) {
  const { mutate, error } = useEndpointMutation(lookUpClient, { onDone: onLogged })
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    mutate({ id })
  }, [id, mutate])
  if (!error) return <ClientSkeleton />
  return (
    <OfficePage>
      <RecordError failure={error} onRetry={() => mutate({ id })} />
    </OfficePage>
  )
}

function ClientSkeleton() {
  const { t } = useLingui()
  return (
    <OfficePage>
      <p className="section-name">{t`Client`}</p>
      <Skeleton width={240} height={26} />
    </OfficePage>
  )
}

/** Pending items first, everything else in tabs. */
function OpenedClient({ id }: { id: string }) {
  const { t } = useLingui()
  const [{ tab }] = useUrlState(address)
  const { data, error, refetch } = useEndpoint(getOfficeClient, { id })
  useFreshClient(id)
  useWindowTitle(data?.client.client.name ?? t`Client`)
  if (error && !data)
    return (
      <OfficePage>
        <RecordError failure={error} onRetry={() => void refetch()} />
      </OfficePage>
    )
  const client = data?.client
  if (!client) return <ClientSkeleton />
  return <Page key={id} client={client} tab={tab} />
}

function Page({ client, tab }: { client: OfficeClient; tab: Tab }) {
  const acknowledging = useAcknowledged(client.decisionChecks)
  return (
    <OfficePage bar={<ApprovalBar client={client} acknowledging={acknowledging} />}>
      <ClientHead client={client} />
      <ClientViewers client={client} />
      <ClientTabs client={client} tab={tab} />
      {tab === 'overview' ? (
        <Overview client={client} acknowledging={acknowledging} />
      ) : (
        <div className="client-tab">{tabContent(tab, client)}</div>
      )}
    </OfficePage>
  )
}

const ofOneClient = [
  getOfficeClient,
  getClientEvents,
  getClientMoney,
  getClientExposure,
  getClientBank,
  getClientMails,
] as const

/** While the approval is pending: shows other viewers of this client, and reports this one. */
function ClientViewers({ client }: { client: OfficeClient }) {
  const viewers = useViewers(client.item?.id ?? null, client.viewers)
  if (!client.item || viewers.length === 0) return null
  return <OtherViewers names={viewers.map(({ name }) => name)} />
}

/** Reloads the client after a decision elsewhere or an upload. */
function useFreshClient(id: string): void {
  const queries = useQueryClient()
  useChanges((change) => {
    if (change.kind === 'client' ? change.id === id : true) void refreshEndpoints(queries, ofOneClient)
  })
}

function ClientTabs({ client, tab }: { client: OfficeClient; tab: Tab }) {
  const { t } = useLingui()
  const readsMoney = useCanRead('withdrawals')
  const readsBank = useCanRead('bankDetails')
  const { counts } = client
  const words: Readonly<Record<Tab, [label: string, count?: number]>> = {
    overview: [t`Overview`],
    profile: [t`Profile`],
    documents: [t`Documents`, counts.documents],
    accounts: [t`Accounts`, counts.accounts],
    money: [t`Payments`, counts.money],
    bank: [t`Bank details`, counts.bankDetails],
    mails: [t`Emails`, counts.mails],
    logins: [t`Sign-ins`],
    timeline: [t`History`, counts.events],
  }
  const shown = tabs.filter((one) => (one === 'money' ? readsMoney : one === 'bank' ? readsBank : true))
  const base = officePaths.client(client.id)
  return (
    <Tabs
      label={t`Sections of the client record`}
      tabs={shown.map((one) => ({
        href: one === 'overview' ? base : `${base}?tab=${one}`,
        label: words[one][0],
        ...(words[one][1] === undefined ? {} : { count: words[one][1] }),
        current: one === tab,
      }))}
    />
  )
}

function Overview({ client, acknowledging }: { client: OfficeClient; acknowledging: Acknowledging }) {
  return (
    <div className="client-body">
      {client.decisionChecks.length > 0 && (
        <DecisionChecks kind="client" record={client.id} checks={client.decisionChecks} acknowledging={acknowledging} />
      )}
      <div className="stack-6 client-cards">
        <PendingCard client={client} />
        <PaymentHold client={client} />
        <LastDecision client={client} />
        <ErasureSection client={client} />
        <ProfileCard client={client} />
        <AccountsCard client={client} />
      </div>
      <ClientSidebar client={client} />
    </div>
  )
}

function tabContent(tab: Exclude<Tab, 'overview'>, client: OfficeClient) {
  switch (tab) {
    case 'profile':
      return <ProfileTab client={client} />
    case 'documents':
      return <DocumentsCard client={client} />
    case 'accounts':
      return <AccountsCard client={client} />
    case 'money':
      return <MoneyTab clientId={client.id} number={client.client.number} />
    case 'bank':
      return <BankTab clientId={client.id} />
    case 'mails':
      return <MailsTab clientId={client.id} />
    case 'logins':
      return <LoginsTab clientId={client.id} />
    case 'timeline':
      return <TimelineTab clientId={client.id} />
  }
}

/** All events of a client, newest first, with values before and after; repeated ones in a row are grouped. */
function TimelineTab({ clientId }: { clientId: string }) {
  const pages = useListPages(clientId, 50)
  const { data, error, isFetching, refetch } = useEndpoint(
    getClientEvents,
    { id: clientId, cursor: pages.cursor, size: pages.size },
    { keepLast: true },
  )
  if (error && !data) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  return (
    <>
      <section className="sheet">
        <EventTable
          events={data?.rows ?? []}
          grouped
          busy={isFetching}
          instead={data?.rows.length === 0 ? <EmptyState level="h2" title={<Trans>No events yet</Trans>} /> : undefined}
        />
      </section>
      <Pagination {...pages.shown(data?.next)} />
    </>
  )
}

const shutOut: readonly OfficeClient['state'][] = ['rejected', 'suspended', 'closed']

/** For a rejected, suspended or closed client: who decided, when, the internal reason and the client's text. */
function LastDecision({ client: { state, decidedBy, decidedAt, reason, internalReason } }: { client: OfficeClient }) {
  const word = useStateLabel()
  if (!shutOut.includes(state) || !decidedBy) return null
  return (
    <Alert
      kind="wait"
      title={
        <Trans>
          {word('client', state)} by {decidedBy.name}, <Time at={decidedAt} />
        </Trans>
      }
    >
      {internalReason !== null && (
        <p>
          <Trans>
            Internal reason: <UserText>{internalReason}</UserText>
          </Trans>
        </p>
      )}
      <p>
        {reason === null || reason === '' ? (
          <Trans>No text was sent to the client.</Trans>
        ) : (
          <Trans>
            Text for the client: <UserText>{reason}</UserText>
          </Trans>
        )}
      </p>
    </Alert>
  )
}
