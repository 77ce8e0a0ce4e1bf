import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import './event-checks.css'

type EventCheck = NonNullable<OfficeEvent['checks']>[number]

/** The checks of a decision on one line: overridden or acknowledged ones by name, the others as a count. */
export function EventChecks({ event }: { event: Pick<OfficeEvent, 'checks'> }) {
  const checks = event.checks ?? []
  if (checks.length === 0) return null
  const titles = (belongs: (check: EventCheck) => boolean) =>
    checks
      .filter(belongs)
      .map(({ title }) => title)
      .join(', ')
  const passed = checks.filter(({ result }) => result === 'pass').length
  const overridden = titles((check) => check.overridden)
  const acknowledged = titles((check) => check.result === 'warn' && check.acknowledged)
  const blocked = titles((check) => check.result === 'block' && !check.overridden)
  const undone = titles((check) => check.result === 'not-carried-out')
  return (
    <span className="event-checks muted">
      {blocked !== '' && <Part word={<Trans>Block</Trans>} titles={blocked} />}
      {overridden !== '' && <Part word={<Trans>Overridden</Trans>} titles={overridden} />}
      {acknowledged !== '' && <Part word={<Trans>Acknowledged</Trans>} titles={acknowledged} />}
      {undone !== '' && <Part word={<Trans>Not carried out</Trans>} titles={undone} />}
      {passed > 0 && (
        <span>
          <Plural value={passed} one="# check passed" other="# checks passed" />
        </span>
      )}
    </span>
  )
}

function Part({ word, titles }: { word: ReactNode; titles: string }) {
  return (
    <span>
      <b className="strong">{word}:</b> {titles}
    </span>
  )
}
