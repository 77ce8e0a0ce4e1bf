import type { ReactNode } from 'react'
import { useLingui, Trans } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { DecisionCheck } from '#contract/office/checks.ts'
import type { OperationState, RecordOperation } from '#contract/office/decisions.ts'
import { officePaths } from '#contract/office-paths.ts'
import { clientFlagLabels } from '#contract/office/flag-labels.ts'
import type { InputOf } from '#ui/api/call.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, isNotFound, Skeleton } from '#ui/feedback/content-states.tsx'
import { ButtonLink } from '#ui/forms/button.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { type DescriptionRow, DescriptionList } from '#ui/data/description-list.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { useStatusLabel } from '#ui/data/status-badge.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { countryName } from './country-name.ts'
import type { Currency } from '#rules/money.ts'
import { Money } from '#ui/money/money.tsx'
import { Table } from '#ui/data/table.tsx'
import './decision.css'

interface RecordScreenProps<Data> {
  read: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** Renders a record once it is loaded; shows the error in place if it could not be. */
export function RecordScreen<Data>({ read, children }: RecordScreenProps<Data>) {
  if (read.data !== undefined) return children(read.data)
  return (
    <OfficePage>
      {read.error ? <RecordError failure={read.error} onRetry={() => void read.refetch()} /> : <RecordSkeleton />}
    </OfficePage>
  )
}

/** Says why a record's page could not be loaded; leads to the list if there is no such record. */
export function RecordError({ failure, onRetry }: { failure: Error; onRetry: () => void }) {
  const [path] = useLocation()
  const list = `/${path.split('/')[1] ?? ''}`
  const action = isNotFound(failure) && (
    <ButtonLink kind="primary" href={list}>
      <Trans>Back to list</Trans>
    </ButtonLink>
  )
  return <ErrorPanel level="h1" failure={failure} onRetry={onRetry} {...(action ? { action } : {})} />
}

/** Returns the screen of the record that the route names. */
export function recordScreen<E extends Endpoint>(endpoint: E, render: (data: ResponseOf<E>) => ReactNode) {
  return function Screen({ params }: ScreenProps) {
    const id = params['id'] ?? ''
    const read = useEndpoint(endpoint, { id } as InputOf<E>)
    return (
      <RecordScreen key={id} read={read}>
        {render}
      </RecordScreen>
    )
  }
}

/** Placeholder of a record's title and facts while they load. */
function RecordSkeleton() {
  return (
    <div className="on-page coming-record" aria-busy="true">
      <Skeleton width={160} height={12} />
      <Skeleton width={260} height={28} />
      <Skeleton width="100%" height={88} />
      <Skeleton width="60%" height={120} />
    </div>
  )
}

interface ClientFactsProps {
  client: ClientBrief
  more?: readonly (DescriptionRow | false)[]
}

/** The client of a record; the name links to the client's page. */
export function ClientFacts({ client, more = [] }: ClientFactsProps) {
  const { t, i18n } = useLingui()
  const word = useStatusLabel('client')
  return (
    <section>
      <h2 className="title-3 record-section-title">{t`Client`}</h2>
      <DescriptionList
        rows={[
          {
            key: t`Name`,
            value: (
              <>
                <Link href={officePaths.client(client.id)}>{client.name}</Link>{' '}
                <span className="muted numbers">{client.number}</span>
              </>
            ),
          },
          {
            key: t`Status`,
            value: `${word(client.status)} · ${client.clientStatus === 'professional' ? t`Professional Client` : t`Retail Client`}`,
          },
          { key: t`Country`, value: t`${countryName(client.country, i18n.locale)}, risk level ${client.riskLevel}` },
          client.flags.length > 0 && { key: t`Flags`, value: <Flags flags={client.flags} /> },
          ...more,
        ]}
      />
    </section>
  )
}

function Flags({ flags }: { flags: ClientBrief['flags'] }) {
  const word = useLabels(clientFlagLabels)
  return (
    <span className="row wrap">
      {flags.map((flag) => (
        <span key={flag} className={flag === 'watch' ? 'tag wait' : 'tag bad'}>
          {word(flag)}
        </span>
      ))}
    </span>
  )
}

interface OperationNoticeProps {
  operation: RecordOperation
  state: string
  /** The checks of its debit. */
  checks?: readonly DecisionCheck[]
}

/**
 * Shows the platform operation of this record while there is no response; an unknown outcome is not shown as failed.
 */
export function OperationNotice({ operation, state, checks = [] }: OperationNoticeProps) {
  const { t } = useLingui()
  if (!operation || state !== 'processing') return null
  const { ref, tries, lastError } = operation
  if (isHeld(operation, checks)) return <HeldDebit />
  return (
    <Alert kind="run" title={<SendingTitle operation={operation} />}>
      {t`Reference ${ref}. Attempts: ${tries}. We retry automatically. It will be carried out only once.`}
      {lastError && <p className="muted">{lastError}</p>}
    </Alert>
  )
}

/** Returns whether a check holds back an operation that is to be sent. */
export function isHeld({ state }: { state: OperationState }, checks: readonly DecisionCheck[]): boolean {
  return state === 'waiting' && checks.some(({ result, overridden }) => result === 'block' && !overridden)
}

/** Shown in place of an operation that a check holds back. */
export function HeldDebit() {
  return (
    <Alert kind="wait" title={<Trans>A check blocks the debit.</Trans>}>
      <Trans>The debit has not been sent to the platform. It will be sent automatically once no check blocks it.</Trans>
    </Alert>
  )
}

/** Whether an operation was sent. */
export function SendingTitle({ operation }: { operation: { state: OperationState } }) {
  if (operation.state === 'waiting') return <Trans>Not sent to the platform yet.</Trans>
  return <Trans>Sent to the platform. Awaiting confirmation.</Trans>
}

/** Shown below balances of a platform: the time of their reading. */
export function ReadAt({ at }: { at: Date | null }) {
  if (!at) return null
  return (
    <p className="muted size-12 read-at">
      <Trans>
        Platform balances as of <Time at={at} />
      </Trans>
    </p>
  )
}

/** The head of a table of balances: their sources, and the time of their reading. */
function BalancesHead({ at }: { at: Date | null }) {
  return (
    <>
      <Trans>From the ledger and the platform</Trans>
      {at && (
        <>
          , <Time at={at} />
        </>
      )}
    </>
  )
}

export interface BalanceLine {
  key: string
  label: ReactNode
  minor: bigint | null
}

interface BalancesTableProps {
  /** When the platform's balances were read. */
  at: Date | null
  currency: Currency
  lines: readonly (BalanceLine | false)[]
  available: BalanceLine
}

/** The balances of an account, with the available rest. */
export function BalancesTable({ at, currency, lines, available }: BalancesTableProps) {
  const { t } = useLingui()
  const money = (minor: bigint | null) => <Money bare amount={minor === null ? null : { minor, currency }} />
  return (
    <Table<BalanceLine>
      caption={t`Account balances`}
      columns={[
        { head: <BalancesHead at={at} />, cell: ({ label }) => label },
        { head: currency, align: 'right', cell: ({ minor }) => money(minor) },
      ]}
      rows={lines.filter((line) => line !== false)}
      rowKey={({ key }) => key}
      foot={[available.label, money(available.minor)]}
    />
  )
}
