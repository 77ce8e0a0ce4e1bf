import { IconAlertTriangleFilled, IconArrowBarUp, IconCheck } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { officePaths } from '#contract/office-paths.ts'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { Money } from '#ui/money/money.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { calendarDayText, clockTime } from '#ui/text/time.tsx'
import { useSpanLabels } from '../../decision/due-labels.tsx'
import { useStaff } from '../../session.ts'
import type { Overview } from '#contract/office/overview.ts'

type Reading = NonNullable<Overview['clientMoney']>[number]

interface ClientMoneyPartProps {
  readings: Overview['clientMoney'] | undefined
  at: Date | undefined
}

/** Client money requirement and resource by currency, with the status of the difference. */
export function ClientMoneyPart({ readings, at }: ClientMoneyPartProps) {
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  const first = readings?.[0]
  return (
    <section>
      <div className="figures-head">
        <h2>{t`Client money`}</h2>
        <Link href={officePaths.clientMoney}>
          <Trans context="command">Open</Trans>
        </Link>
      </div>
      {readings?.length === 0 ? (
        <p className="muted">{t`Client money is being calculated. It will appear here in a few minutes.`}</p>
      ) : (
        <table className="overview-client-money numbers">
          <caption className="unseen">{t`Client money`}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Currency`}</th>
              <th scope="col">{t`Requirement`}</th>
              <th scope="col">{t`Resource`}</th>
            </tr>
          </thead>
          {readings ? (
            readings.map((reading) => <OfCurrency key={reading.currency} reading={reading} at={at ?? reading.readAt} />)
          ) : (
            <tbody>
              <tr>
                <td colSpan={3}>
                  <Skeleton width="100%" />
                </td>
              </tr>
            </tbody>
          )}
        </table>
      )}
      {first && (
        <p className="overview-note">
          <Trans>Ledger as of {clockTime(first.readAt, firm.timeZone)}</Trans>
          {first.statementsTo && (
            <>
              {', '}
              <Trans>bank statements to {calendarDayText(first.statementsTo, i18n.locale)}</Trans>
            </>
          )}
        </p>
      )}
    </section>
  )
}

function OfCurrency({ reading, at }: { reading: Reading; at: Date }) {
  const { currency, owed, held, difference, openDifferences, since } = reading
  const span = useSpanLabels()
  const age = span(at.getTime() - since.getTime())
  const amount = (minor: bigint) => <Money amount={{ minor, currency }} bare />
  return (
    <tbody>
      <tr className="overview-money-figures">
        <th scope="row">{currency}</th>
        <td>{amount(owed)}</td>
        <td>{amount(held)}</td>
      </tr>
      <tr>
        <td colSpan={2}>
          <Standing reading={reading} /> {difference !== 0n && <span className="muted">{age}</span>}
          {openDifferences > 0 && (
            <>
              {' · '}
              <Link className="unbroken" href={officePaths.reconciliation}>
                <Plural value={openDifferences} one="# discrepancy" other="# discrepancies" />
              </Link>
            </>
          )}
        </td>
        <td className={difference < 0n ? 'strong tone-bad' : 'strong'}>
          <Money amount={{ minor: difference, currency }} bare signed />
        </td>
      </tr>
    </tbody>
  )
}

function Standing({ reading: { difference } }: { reading: Reading }) {
  if (difference < 0n)
    return (
      <span className="strong tone-bad">
        <IconAlertTriangleFilled className="small" aria-hidden="true" /> <Trans>Shortfall</Trans>
      </span>
    )
  if (difference > 0n)
    return (
      <span className="strong tone-wait">
        <IconArrowBarUp className="small" aria-hidden="true" /> <Trans>Excess</Trans>
      </span>
    )
  return (
    <span className="strong tone-ok">
      <IconCheck className="small" aria-hidden="true" /> <Trans>Reconciled</Trans>
    </span>
  )
}
