import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { payoutOverview } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { currencies } from '#rules/money.ts'
import { Money } from '#ui/money/money.tsx'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { clockTime, weekdayName } from '#ui/text/time.tsx'
import { useCanDo, useStaff } from '../../session.ts'
import './payout-batches.css'

/** Approved withdrawals in no batch, per currency, with the button that creates a batch. */
export function ReadyPayouts({ ready }: { ready: ResponseOf<typeof payoutOverview>['ready'] | undefined }) {
  const { t } = useLingui()
  const mayCreate = useCanDo('createPayoutBatch')
  return (
    <section className="ready-payouts" aria-label={t`Approved, not in a batch yet`}>
      <h2 className="title-3">{t`Approved, not in a batch yet`}</h2>
      <ul aria-busy={ready ? undefined : true}>
        {currencies.map((currency) => {
          const { count, sum, cutOff } = ready?.find((one) => one.currency === currency) ?? noneReady
          if (!ready)
            return (
              <li key={currency}>
                <Skeleton width={112} />
              </li>
            )
          if (count === 0)
            return (
              <li key={currency} className="muted">
                <Trans>No {currency} withdrawals</Trans>
                {cutOff && <CutOff at={cutOff} />}
              </li>
            )
          return (
            <li key={currency}>
              <span>
                <b>
                  <Money amount={{ minor: sum, currency }} />
                </b>
                <span className="muted numbers">
                  <Plural value={count} one="# withdrawal" other="# withdrawals" />
                  {cutOff && (
                    <>
                      {' · '}
                      <CutOff at={cutOff} />
                    </>
                  )}
                </span>
              </span>
              {mayCreate && (
                <ButtonLink href={officePaths.newPayoutBatch(currency)}>
                  <CreateLabel currency={currency} cutOff={cutOff} />…
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const noneReady = { count: 0, sum: 0n, cutOff: null }

/** "cut-off 14:00", with the day if it is not today. */
export function CutOff({ at }: { at: Date }) {
  const { timeZone } = useStaff().firm
  const { i18n } = useLingui()
  const day = isToday(at, timeZone) ? '' : `${weekdayName(at, i18n.locale, timeZone)} `
  return (
    <span className="numbers">
      <Trans>
        cut-off {day}
        {clockTime(at, timeZone)}
      </Trans>
    </span>
  )
}

/** After today's cut-off the button names the day of the batch. */
function CreateLabel({ currency, cutOff }: { currency: string; cutOff: Date | null }) {
  const { timeZone } = useStaff().firm
  const { t, i18n } = useLingui()
  if (!cutOff || isToday(cutOff, timeZone)) return <Trans>Create {currency} batch</Trans>
  const day = weekdayName(cutOff, i18n.locale, timeZone, 'long')
  return t`Create ${currency} batch for ${day}`
}

function isToday(at: Date, timeZone: string): boolean {
  return isoDay(dayIn(at, timeZone)) === isoDay(dayIn(new Date(), timeZone))
}
