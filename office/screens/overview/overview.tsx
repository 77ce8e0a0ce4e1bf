import { IconAlertTriangleFilled, IconRefresh } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type CSSProperties, type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { overview, type Overview, overviewDays } from '#contract/office/overview.ts'
import { officePaths } from '#contract/office-paths.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { clockTime, Time, timeText } from '#ui/text/time.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { useCanDo, useCanRead, useStaff } from '../../session.ts'
import { ClientMoneyPart } from './client-money-part.tsx'
import { IntegrationsPart } from './integrations-part.tsx'
import { NeedsYou } from './needs-you.tsx'
import { NewClientsPart } from './new-clients-part.tsx'
import { QueuesPart } from './queues-part.tsx'
import { ReviewsPart } from './reviews-part.tsx'
import { TeamPart } from './team-part.tsx'
import { FlowsChart, FlowsLegend } from '../../figures/flows-chart.tsx'
import '../../figures/figures.css'
import './overview.css'

const pollMs = 60_000
/** After this time without a response, in ms, the page shows that its values are old. */
const staleMs = 5 * 60_000

const partNames = [
  'needsYou',
  'clientMoney',
  'reviews',
  'queues',
  'money',
  'newClients',
  'integrations',
  'team',
] as const
type PartName = (typeof partNames)[number]

/** The parts in the order of each role, in the left and right column (requirements 24.5). */
const ordersByRole: Readonly<Record<StaffRole, readonly [left: readonly PartName[], right: readonly PartName[]]>> = {
  compliance: [
    ['needsYou', 'queues', 'newClients', 'money'],
    ['reviews', 'team'],
  ],
  operations: [
    ['needsYou', 'queues', 'money'],
    ['team', 'integrations'],
  ],
  finance: [
    ['needsYou', 'queues', 'money', 'newClients'],
    ['clientMoney', 'integrations', 'team'],
  ],
  administrator: [
    ['needsYou', 'queues', 'money', 'newClients'],
    ['integrations', 'team', 'clientMoney'],
  ],
  auditor: [
    ['queues', 'money', 'newClients'],
    ['clientMoney', 'integrations'],
  ],
}

/** The parts in the order of each role if they are in one column; phones use the order of `partNames`. */
const columnOfRole: Readonly<Record<StaffRole, readonly PartName[]>> = {
  compliance: ['needsYou', 'queues', 'newClients', 'reviews', 'team', 'money'],
  operations: ['needsYou', 'queues', 'team', 'integrations', 'money'],
  finance: partNames,
  administrator: ['integrations', 'queues', 'team', 'needsYou', 'clientMoney', 'money', 'newClients'],
  auditor: ['queues', 'clientMoney', 'money', 'newClients', 'integrations'],
}

/** The overview: items for this person, the status of client money, overdue queues; every figure links to its list. */
export default function OverviewScreen() {
  const { t } = useLingui()
  const { data, error, isFetching, dataUpdatedAt, refetch } = useEndpoint(overview, {}, { pollMs })
  const [view, setView] = useView()
  const [left, right] = ordersByRole[view]
  const [looks, setLooks] = useState(0)
  const parts = useParts(data, looks, () => void refetch())
  const refresh = () => {
    setLooks(looks + 1)
    void refetch()
  }
  const isStale = data !== undefined && Date.now() - dataUpdatedAt > staleMs
  const ofRole = columnOfRole[view]
  const drawn = (names: readonly PartName[]) =>
    names.map((name) => (
      <div
        key={name}
        className="overview-part"
        style={{ '--place': ofRole.indexOf(name), '--place-phone': partNames.indexOf(name) } as CSSProperties}
      >
        {parts[name]}
      </div>
    ))
  return (
    <OfficePage>
      <PageHeader
        title={t`Overview`}
        action={
          <div className="row overview-tools">
            <ViewSwitch view={view} onView={setView} />
            <button
              type="button"
              className={isStale ? 'overview-refresh stale' : 'overview-refresh'}
              aria-busy={isFetching}
              title={t`Refresh`}
              onClick={refresh}
            >
              {isStale ? (
                <IconAlertTriangleFilled className="small" aria-hidden="true" />
              ) : (
                <IconRefresh className="small" aria-hidden="true" />
              )}
              <span className="unseen">{t`Refresh`}</span>
              <ReadTime at={data?.at} />
            </button>
            <span role="status" className="unseen">
              {isStale && (
                <Trans>
                  Not updated since <Time at={data.at} />.
                </Trans>
              )}
            </span>
          </div>
        }
      >
        <Summary data={data} />
      </PageHeader>
      {error && !data ? (
        <ErrorPanel failure={error} onRetry={() => void refetch()} />
      ) : (
        <div className="overview">
          <div className="overview-main">{drawn(left)}</div>
          <div className="overview-side">{drawn(right)}</div>
        </div>
      )}
    </OfficePage>
  )
}

function ReadTime({ at }: { at: Date | undefined }) {
  const { firm } = useStaff()
  return <span className="numbers">{at ? clockTime(at, firm.timeZone) : <Skeleton width={34} />}</span>
}

function Summary({ data }: { data: Overview | undefined }) {
  const { i18n } = useLingui()
  const { firm } = useStaff()
  if (!data) return <Skeleton width={240} />
  const open = data.queues?.reduce((sum, queue) => sum + queue.open, 0) ?? 0
  const overdue = data.queues?.reduce((sum, queue) => sum + queue.overdue, 0) ?? 0
  return (
    <>
      {timeText(data.at, i18n.locale, data.at, firm.timeZone)} ·{' '}
      <Link href={`${officePaths.inbox}?mine=false`}>
        <Plural value={open} one="# open" other="# open" />
      </Link>
      ,{' '}
      <Link href={`${officePaths.inbox}?mine=false&overdue=true`}>
        <Plural value={overdue} one="# overdue" other="# overdue" />
      </Link>
    </>
  )
}

/** Returns each part that may be read; a failed one shows its error in place. */
function useParts(data: Overview | undefined, looks: number, retry: () => void): Readonly<Record<PartName, ReactNode>> {
  const { t } = useLingui()
  const [decides, readsMoney, readsDeposits, readsReports, readsFailed, readsDocuments] = [
    useCanDo('assign'),
    useCanRead('clientMoney'),
    useCanRead('deposits'),
    useCanRead('reports'),
    useCanRead('failedJobs'),
    useCanRead('documents'),
  ]
  const part = (may: boolean, title: string, failedAs: Overview['failed'][number], draw: () => ReactNode) =>
    may && (data?.failed.includes(failedAs) ? <FailedPart title={title} onRetry={retry} /> : draw())
  return {
    needsYou: part(decides, t`Needs your attention`, 'needsYou', () => (
      <NeedsYou needed={data?.needsYou} at={data?.at} queues={data?.queues} looks={looks} />
    )),
    queues: part(true, t`Queues`, 'queues', () => <QueuesPart queues={data?.queues} at={data?.at} />),
    money: part(readsDeposits, t`Deposits and withdrawals`, 'figures', () => <MoneyPart money={data?.money} />),
    newClients: part(readsReports, t`New clients`, 'figures', () => <NewClientsPart funnel={data?.newClients} />),
    reviews: part(readsDocuments, t`Reviews`, 'figures', () => <ReviewsPart reviews={data?.reviews} />),
    clientMoney: part(readsMoney, t`Client money`, 'clientMoney', () => (
      <ClientMoneyPart readings={data?.clientMoney} at={data?.at} />
    )),
    integrations: part(readsFailed, t`Integrations`, 'integrations', () => (
      <IntegrationsPart integrations={data?.integrations} failed={data?.failedOperations} at={data?.at} />
    )),
    team: part(decides, t`Team today`, 'team', () => <TeamPart team={data?.team} at={data?.at} />),
  }
}

function FailedPart({ title, onRetry }: { title: string; onRetry: () => void }) {
  const { t } = useLingui()
  return (
    <section role="alert">
      <h2>{title}</h2>
      <p className="muted">
        <Trans>This content could not be loaded.</Trans>{' '}
        <button type="button" className="text-button" onClick={onRetry}>{t`Try again`}</button>
      </p>
    </section>
  )
}

const viewKey = 'office.overview-view'

/** Returns the role whose order is shown: of several the one last chosen in this browser. */
function useView(): [StaffRole, (role: StaffRole) => void] {
  const { staff } = useStaff()
  const [chosen, setChosen] = useState(() => localStorage.getItem(viewKey))
  const own = staffRoles.filter((role) => staff.roles.includes(role))
  const view = own.find((role) => role === chosen) ?? own.at(-1) ?? 'auditor'
  const choose = (role: StaffRole) => {
    localStorage.setItem(viewKey, role)
    setChosen(role)
  }
  return [view, choose]
}

function ViewSwitch({ view, onView }: { view: StaffRole; onView: (role: StaffRole) => void }) {
  const { t } = useLingui()
  const { staff } = useStaff()
  const label = useRoleLabels()
  if (staff.roles.length < 2) return null
  return (
    <BareSelect
      aria-label={t`View`}
      value={view}
      onChange={({ target }) => onView(staffRoles.find((role) => role === target.value) ?? view)}
      options={staff.roles.map((role) => ({ value: role, label: label(role) }))}
    />
  )
}

type FundingOverview = NonNullable<Overview['money']>

const address = z.object({ money: z.optional(z.literal('table')) })

/** Deposits and withdrawals by day, in each currency, with the sum and that of the previous period. */
function MoneyPart({ money }: { money: FundingOverview | null | undefined }) {
  const { t } = useLingui()
  const [{ money: shown }, setAddress] = useUrlState(address)
  const asTable = shown === 'table'
  return (
    <section>
      <div className="figures-head">
        <h2>{t`Deposits and withdrawals, ${overviewDays} days`}</h2>
        <FlowsLegend asTable={asTable} onTable={(table) => setAddress({ money: table ? 'table' : undefined })} />
      </div>
      {money?.currencies.length === 0 && <p className="muted">{t`No deposits or withdrawals in this period.`}</p>}
      <div className="figures-currencies">
        {money
          ? money.currencies.map((one) => (
              <FlowsChart
                key={one.currency}
                of={one}
                period={money}
                before={t`previous ${overviewDays} days`}
                label={(currency, from, to) => t`Deposits and withdrawals in ${currency} by day, ${from} to ${to}`}
                asTable={asTable}
              />
            ))
          : [1, 2].map((place) => <Skeleton key={place} width="100%" height={180} />)}
      </div>
    </section>
  )
}
