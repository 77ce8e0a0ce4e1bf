/** Exchange rates and the time from which they apply. A second administrator confirms a change. */
import { Trans, useLingui } from '@lingui/react/macro'
import { dayIn, dayOf, instantIn, isoDay } from '#rules/dates.ts'
import { currencies } from '#rules/money.ts'
import { areRatesCurrent } from '#rules/transfers.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { clockTime } from '#ui/text/time.tsx'
import { useStaff } from '../../../session.ts'
import { jsonAt, jsonWithout, namesAt, textAt, useDraft } from '../draft.ts'
import { focusAt, NumberAt, WithValueInForce, TextAt } from '../fields.tsx'
import { DayAndTime } from './day-and-time.tsx'

const pairs = currencies.flatMap((from) => currencies.filter((to) => to !== from).map((to) => `${from}/${to}`))

export function RatesForm() {
  const { t } = useLingui()
  const { value, saved, set } = useDraft()
  const held = namesAt(value, 'pairs')
  const absent = pairs.filter((pair) => !held.includes(pair) && !held.includes(pair.split('/').toReversed().join('/')))
  const age = { asOf: textAt(saved, 'asOf'), maxAgeDays: Number(textAt(saved, 'maxAgeDays')) }
  return (
    <>
      {!areRatesCurrent(age, new Date()) && (
        <Alert kind="wait" title={<Trans>The rates are out of date</Trans>}>
          <Trans>Clients cannot request transfers between currencies. Enter current rates and their time.</Trans>
        </Alert>
      )}
      {held.map((pair) => {
        const [from = '', to = ''] = pair.split('/')
        return (
          <div key={pair} className="stack-2">
            <TextAt
              path={`pairs.${pair}`}
              label={pair}
              hint={t`Amount in ${to} for 1\u00a0${from}`}
              inputMode="decimal"
            />
            <button
              type="button"
              className="text-button"
              onClick={() => set('pairs', jsonWithout(jsonAt(value, 'pairs'), pair))}
            >
              <Trans>Remove {pair}</Trans>
            </button>
          </div>
        )
      })}
      {absent.length > 0 && (
        <div className="row wrap">
          {absent.map((pair) => (
            <button
              key={pair}
              type="button"
              className="text-button"
              onClick={() => {
                set(`pairs.${pair}`, '')
                focusAt(`pairs.${pair}`)
              }}
            >
              <Trans>Add {pair}</Trans>
            </button>
          ))}
        </div>
      )}
      <InstantAt path="asOf" label={t`As of`} />
      <NumberAt
        path="maxAgeDays"
        hint={t`After this time, clients cannot request transfers between currencies until new rates apply.`}
      />
    </>
  )
}

/** A day and a time in the firm's time zone, stored as an instant; invalid text is kept as typed and rejected. */
function InstantAt({ path, label }: { path: string; label: string }) {
  const { value, set } = useDraft()
  const { timeZone } = useStaff().firm
  const { day, time } = partsOf(textAt(value, path), timeZone)
  return (
    <WithValueInForce path={path}>
      <DayAndTime
        label={label}
        day={day}
        time={time}
        onChange={(nextDay, nextTime) => set(path, instantOf(nextDay, nextTime, timeZone))}
      />
    </WithValueInForce>
  )
}

function partsOf(kept: string, timeZone: string): { day: string; time: string } {
  const at = kept.endsWith('Z') ? new Date(kept) : null
  if (at && !Number.isNaN(at.getTime())) return { day: isoDay(dayIn(at, timeZone)), time: clockTime(at, timeZone) }
  const [day = '', time = ''] = kept.split('T')
  return { day: dayOf(day) ? day : '', time }
}

function instantOf(day: string, time: string, timeZone: string): string {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  const date = dayOf(day)
  if (!date || hour === undefined) return `${day}T${time}`
  const at = instantIn(date, Number(hour), timeZone).getTime() + Number(minute) * 60_000
  return `${new Date(at).toISOString().slice(0, 16)}Z`
}
