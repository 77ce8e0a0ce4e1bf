import { Plural, useLingui } from '@lingui/react/macro'
import { useDeviceLabels } from '#ui/text/device-labels.ts'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import { currencies } from '#rules/money.ts'
import { useSectionName } from './section-names.ts'
import { useStateLabel, useValueName } from './value-names.ts'

type Values = Readonly<Record<string, unknown>>

/** Before struck through, after beside it; what only came to be stands alone. Long ones fold. */
export function EventDifference({ event }: { event: Pick<OfficeEvent, 'kind' | 'from' | 'to' | 'before' | 'after'> }) {
  const { t } = useLingui()
  const word = useStateLabel()
  const deviceWords = useDeviceLabels()
  const sectionName = useSectionName()
  const said = (text: string | null) => {
    if (text?.startsWith('data:image/')) return t`an image`
    return text === 'true' ? t`yes` : text === 'false' ? t`no` : text
  }
  const told: Readonly<Record<string, (code: string) => string>> = { device: deviceWords, section: sectionName }
  const isWindDown = event.after?.['section'] === 'windDown'
  const all = differencesOf(event.before, event.after)
    // Which document it is says the title.
    .filter(({ name }) => event.kind !== 'document' || name !== 'kind')
    .map((line) => {
      const words = Object.hasOwn(told, line.name) ? told[line.name] : undefined
      if (words && line.after !== null) return { ...line, after: words(line.after) }
      return { ...line, before: said(line.before), after: said(line.after) }
    })
    // Its switches name what is open, and close it.
    .map((line) => (isWindDown && line.name !== 'section' ? { ...line, name: `windDown.${line.name}` } : line))
  const lines = all.filter(({ name }) => !about.includes(name))
  const state = event.to !== null && event.from !== event.to ? { from: event.from, to: event.to } : null
  if (all.length === 0 && !state) return <span className="faint">–</span>
  return (
    <div className="event-difference">
      {state && (
        <p>
          {state.from !== null && (
            <>
              <del>{word(state.from)}</del> →{' '}
            </>
          )}
          <span className="strong">{word(state.to)}</span>
        </p>
      )}
      <Lines lines={all.filter(({ name }) => about.includes(name))} />
      {lines.length > foldedFrom || lines.some(isLong) ? (
        <details>
          <summary>
            <Plural value={lines.length} one="# value" other="# values" />
          </summary>
          <Lines lines={lines} />
        </details>
      ) : (
        <Lines lines={lines} />
      )}
    </div>
  )
}

const foldedFrom = 2
/** What it is about stands before the fold. */
const about: readonly string[] = ['section', 'staff']
const longFrom = 200

function isLong({ before, after }: Line): boolean {
  return (before?.length ?? 0) + (after?.length ?? 0) > longFrom
}

interface Line {
  name: string
  before: string | null
  after: string | null
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const valueName = useValueName()
  return lines.map(({ name, before, after }) => (
    <p key={name}>
      <span className="muted">{isCurrency(name) ? name : valueName(name)}</span>{' '}
      {before !== null && <del>{before}</del>}
      {before !== null && after !== null && ' → '}
      {after !== null && <ins>{after}</ins>}
    </p>
  ))
}

/** A setting by currency is told by the currency's own letters. */
function isCurrency(name: string): boolean {
  return currencies.some((one) => one === name)
}

function differencesOf(before: Values | null, after: Values | null): Line[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names]
    .map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }))
    .filter((line) => line.before !== line.after)
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value === '' ? '–' : value
  if (Array.isArray(value)) return value.map((one) => textOf(one) ?? '–').join(', ') || '–'
  return JSON.stringify(value)
}
