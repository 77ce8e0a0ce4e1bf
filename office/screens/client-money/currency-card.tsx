import { IconAlertTriangleFilled, IconCheck, IconProgress } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { getClientMoneyView } from '#contract/office/accounting.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { clientMoneyPlaces, clientMoneyStatuses } from '#contract/office/client-money-labels.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Money } from '#ui/money/money.tsx'
import { Table } from '#ui/data/table.tsx'
import { calendarDayText, Time } from '#ui/text/time.tsx'
import { numberFormat } from '#ui/text/formats.ts'
import { useCanRead } from '../../session.ts'

export type CurrencyColumn = ResponseOf<typeof getClientMoneyView>['currencies'][number]

/** One currency: requirement against resource, the explanation of the difference, and the actions of finance. */
export function CurrencyCard({ column }: { column: CurrencyColumn }) {
  const { t } = useLingui()
  const word = usePlaceLabel()
  const { currency, owed, held, difference, standing } = column
  const places = column.places.filter(({ owed: one, held: other }) => other !== null || (one ?? 0n) !== 0n)
  const figure = (minor: bigint | null) => (minor === null ? null : <Money amount={{ minor, currency }} bare />)
  return (
    <section className="sheet" aria-label={t`Client money in ${currency}`}>
      <header>
        <h2>{currency}</h2>
        <Standing standing={standing} />
      </header>
      <Table
        caption={t`Client money in ${currency}`}
        rows={places}
        rowKey={(place) => `${place.code} ${place.name}`}
        foot={[t`Total`, figure(owed), figure(held)]}
        columns={[
          { head: t`Item`, cell: (place) => word(place) },
          { head: t`Requirement`, align: 'right', cell: (place) => figure(place.owed) },
          { head: t`Resource`, align: 'right', cell: (place) => figure(place.held) },
        ]}
      />
      <div className="client-money-difference">
        <p className="strong">
          <span>{difference === 0n ? t`Discrepancy` : difference > 0n ? t`Excess` : t`Shortfall`}</span>
          <Money amount={{ minor: difference, currency }} signed />
        </p>
        <Explanation column={column} />
      </div>
      <BankStatementBalances column={column} />
      <NextStep column={column} />
    </section>
  )
}

function Standing({ standing }: Pick<CurrencyColumn, 'standing'>) {
  const label = useLabels(clientMoneyStatuses)
  const faces = {
    agrees: { tone: 'tone-ok', Mark: IconCheck },
    explained: { tone: 'muted', Mark: IconCheck },
    open: { tone: 'tone-wait', Mark: IconProgress },
    unexplained: { tone: 'tone-bad', Mark: IconAlertTriangleFilled },
  } as const satisfies Record<CurrencyColumn['standing'], unknown>
  const { tone, Mark } = faces[standing]
  return (
    <span className={`${tone} strong`}>
      <Mark className="small" aria-hidden="true" /> {label(standing)}
    </span>
  )
}

/** Postings of firm money that explain the difference, and the unexplained rest. */
function Explanation({ column: { currency, own, unexplained } }: { column: CurrencyColumn }) {
  const { t } = useLingui()
  const label = useLabels(clientMoneyPlaces)
  const booked = own.filter(({ amount }) => amount !== 0n)
  if (booked.length === 0 && unexplained === 0n) return null
  return (
    <>
      {booked.map(({ code, amount }) => (
        <p key={code} className="muted">
          <span>{label(code)}</span>
          <Money amount={{ minor: amount, currency }} bare signed />
        </p>
      ))}
      <p className={unexplained === 0n ? 'muted' : 'tone-bad strong'}>
        <span>{t`Unexplained`}</span>
        <Money amount={{ minor: unexplained, currency }} bare signed />
      </p>
    </>
  )
}

/** The bank's balance of each account, at the end of its last statement with a balance. */
function BankStatementBalances({ column: { currency, statements } }: { column: CurrencyColumn }) {
  const { t, i18n } = useLingui()
  if (statements.length === 0) return null
  return (
    <div className="client-money-difference">
      {statements.map(({ account, on, closing, booked, readAt }) => (
        <div key={account}>
          <p>
            <span>
              <Trans>
                Bank balance of the account ending {account.slice(-4)} at the end of {calendarDayText(on, i18n.locale)}
              </Trans>
            </span>
            <Money amount={{ minor: closing, currency }} bare />
          </p>
          <p className={closing === booked ? 'muted' : 'tone-wait strong'}>
            <span>
              {closing === booked
                ? t`Ledger reconciled`
                : closing > booked
                  ? t`More than in the ledger`
                  : t`Less than in the ledger`}
              ,{' '}
              <Trans>
                read <Time at={readAt} />
              </Trans>
            </span>
            <Money amount={{ minor: closing - booked, currency }} bare signed />
          </p>
        </div>
      ))}
    </div>
  )
}

/** The next action of a finance supervisor; hidden if requirement and resource are equal. */
function NextStep({ column }: { column: CurrencyColumn }) {
  const { t } = useLingui()
  const reads = useCanRead('reconciliation')
  const { currency, difference, openDifferences, unexplained } = column
  const amount = (minor: bigint) => <Money amount={{ minor: minor < 0n ? -minor : minor, currency }} />
  if (difference === 0n && openDifferences === 0 && unexplained === 0n) return null
  return (
    <div className="client-money-next">
      {unexplained !== 0n && (
        <p>
          <Trans>
            {amount(unexplained)} is unexplained. Stop payouts in {currency}, compare the bank statement with the ledger
            and inform the administrator.
          </Trans>
        </p>
      )}
      {unexplained === 0n && difference > 0n && (
        <p>
          <Trans>{amount(difference)} belongs to the firm and may be withdrawn from the client money account.</Trans>
        </p>
      )}
      {unexplained === 0n && difference < 0n && (
        <p>
          <Trans>Shortfall of {amount(difference)}. Pay it into the client money account from firm money.</Trans>
        </p>
      )}
      {openDifferences > 0 && (
        <p>
          <Plural
            value={openDifferences}
            one="# discrepancy awaiting an explanation."
            other="# discrepancies awaiting an explanation."
          />{' '}
          {reads && <Link href={officePaths.reconciliation}>{t`Reconciliation`}</Link>}
        </p>
      )}
    </div>
  )
}

function usePlaceLabel(): (place: CurrencyColumn['places'][number]) => string {
  const { i18n } = useLingui()
  return ({ code, name, count }) => {
    const place = clientMoneyPlaces[code === 'bank' && name === '' ? 'bank-unknown' : code]
    const label = i18n._({ ...place, values: { ending: name.slice(-4) } })
    return count === null ? label : `${label},\u00a0${numberFormat(i18n.locale).format(count)}`
  }
}
