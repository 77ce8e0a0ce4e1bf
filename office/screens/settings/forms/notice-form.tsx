import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { emptyTexts, jsonAt, type Json, textAt, useDraft } from '../draft.ts'
import { AreaAt, TextAt, TickAt, useListAt } from '../fields.tsx'
import { DayAndTime } from './day-and-time.tsx'

/** The closure notice: heading, reason and dates. */
export function NoticeForm() {
  const { t } = useLingui()
  const { language } = useDraft()
  const lines = useListAt(`lines.${language}`)
  const dates = useListAt('dates')
  return (
    <>
      <TickAt path="shown">{t`Show the notice on the login page and above the trading accounts`}</TickAt>
      <TextAt path={`title.${language}`} label={t`Heading`} />
      {lines.list.map((_, index) => (
        <div key={index} className="stack-2">
          <AreaAt path={`lines.${language}.${index}`} label={t`Line ${index + 1}`} />
          {lines.list.length > 1 && (
            <button type="button" className="text-button" onClick={() => lines.remove(index)}>
              <Trans>Remove line {index + 1}</Trans>
            </button>
          )}
        </div>
      ))}
      <Button size="small" onClick={() => lines.add('')}>{t`Add line`}</Button>
      {dates.list.map((_, index) => (
        <DateRow key={index} index={index} onRemove={() => dates.remove(index)} />
      ))}
      <Button size="small" onClick={() => dates.add(newDate())}>{t`Add date`}</Button>
    </>
  )
}

function newDate(): Json {
  return { at: new Date().toISOString().slice(0, 10), label: emptyTexts(), before: false }
}

function DateRow({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { t } = useLingui()
  const { value, language, set } = useDraft()
  const path = `dates.${index}`
  const [day = '', time = ''] = textAt(value, `${path}.at`).split('T')
  const write = (nextDay: string, nextTime: string) => set(`${path}.at`, nextTime ? `${nextDay}T${nextTime}` : nextDay)
  return (
    <div className="settings-group" data-path={path}>
      <DayAndTime label={t`Date ${index + 1}`} day={day} time={time} onChange={write} />
      <TextAt
        path={`${path}.label.${language}`}
        label={t`Label`}
        hint={index === 0 && t`This date and label are also shown below the open positions of each live account.`}
      />
      <div className="row between wrap">
        <Checkbox
          checked={jsonAt(value, `${path}.before`) === true}
          onChange={(event) => set(`${path}.before`, event.target.checked)}
        >
          <Trans>Put “Before” in front of the date</Trans>
        </Checkbox>
        <button type="button" className="text-button" onClick={onRemove}>
          <Trans>Remove date {index + 1}</Trans>
        </button>
      </div>
    </div>
  )
}
