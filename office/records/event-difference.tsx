import { Plural, useLingui } from '@lingui/react/macro'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Codes } from '#ui/text/codes.tsx'
import { longDay, monthName } from '#ui/text/days.ts'
import { useDeviceLabels } from '#ui/text/device-labels.ts'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { topicLabels } from '#contract/enquiry-labels.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import { roleLabels } from '#contract/office/role-labels.ts'
import { currencies } from '#rules/money.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { Link } from '#ui/navigation/link.tsx'
import { useLeafText, usePathLabel } from '../screens/settings/section-labels.ts'
import { useSectionName } from './section-names.ts'
import { useStateLabel } from './value-names.ts'
import { codeAsText, useOperationLabel, useRecordLabel } from './work-item-labels.ts'

type Values = Readonly<Record<string, unknown>>

type ChangingEvent = Pick<OfficeEvent, 'kind' | 'from' | 'to' | 'before' | 'after'>

/** Returns whether an event changed a state or names values. */
export function hasDifference(event: ChangingEvent): boolean {
  return stateChangeOf(event) !== null || valuesOf(event).length > 0
}

/** The old value struck through, the new one beside it; an added value alone. Long lists collapse. */
export function EventDifference({ event }: { event: ChangingEvent }) {
  const { t, i18n } = useLingui()
  const word = useStateLabel()
  const deviceWords = useDeviceLabels()
  const sectionName = useSectionName()
  const roleLabel = useLabels(roleLabels)
  const topicLabel = useLabels(topicLabels)
  const operationLabel = useOperationLabel()
  const recordLabel = useRecordLabel()
  const valueName = useValueName()
  const pathLabel = usePathLabel()
  const settingText = useLeafText()
  const plainText = (text: string | null) => {
    if (text?.startsWith('data:image/')) return t`an image`
    return text === 'true' ? t`yes` : text === 'false' ? t`no` : text
  }
  const job = jobOf(event)
  const jobTexts = {
    kind: operationLabel,
    account: (number: string) => [job.platform, groupedByFour(number)].filter(Boolean).join(' '),
    operation: () => recordLabel('operation'),
    month: (month: string) => monthName(month, i18n.locale),
  }
  const formats: Readonly<Record<string, (code: string) => string>> = {
    device: deviceWords,
    section: sectionName,
    ...(event.kind === 'operation' ? { kind: operationLabel } : {}),
    ...(event.kind === 'job' ? jobTexts : {}),
    ...(event.kind === 'enquiry' ? { topic: topicLabel } : {}),
    roles: (codes) => codes.split(', ').map(roleLabel).join(', '),
    awayFrom: (day) => longDay(day, i18n.locale),
    awayUntil: (day) => longDay(day, i18n.locale),
    by: (proof) => (proof === 'password' ? t`Password` : t`One-time code`),
    result: (state) => ({ read: t`Read`, none: t`None found`, failed: t`Not readable` })[state] ?? state,
  }
  // Its switches name what is open, and close it.
  const isWindDown = event.after?.['section'] === 'windDown'
  const ofSettings = event.kind === 'settings' || event.kind === 'setting_change'
  const isSetting = (name: string) => ofSettings && name !== 'section' && !isWindDown
  const labelOf = (name: string) => {
    if (isCurrency(name)) return name
    if (isSetting(name)) return pathLabel(name)
    return valueName(isWindDown && name !== 'section' ? `windDown.${name}` : name)
  }
  const textOf = (name: string, text: string | null) => {
    if (text === null) return null
    if (isSetting(name)) return settingText(text, name)
    return Object.hasOwn(formats, name) ? (formats[name]?.(text) ?? text) : plainText(text)
  }
  const all = valuesOf(event).map(({ name, before, after }) => ({
    name,
    label: labelOf(name),
    before: textOf(name, before),
    after: textOf(name, after),
    href: job.paths[name],
  }))
  const isAbout = ({ name }: Line) => about.includes(name) || event.kind === 'job'
  const lines = all.filter((line) => !isAbout(line))
  const state = stateChangeOf(event)
  if (all.length === 0 && !state) return <span className="faint">–</span>
  return (
    <div className="event-difference">
      {state && (
        <p>
          {state.from !== null && (
            <>
              <del>{word(event.kind, state.from)}</del> →{' '}
            </>
          )}
          <span className="strong">{word(event.kind, state.to)}</span>
        </p>
      )}
      <Lines lines={all.filter(isAbout)} />
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

function stateChangeOf({ from, to }: ChangingEvent): { from: string | null; to: string } | null {
  return to !== null && from !== to ? { from, to } : null
}

/** Returns the account or operation that a retried job is about, as paths by the names of their values. */
function jobOf({ kind, after }: ChangingEvent): { platform: string | null; paths: Readonly<Record<string, string>> } {
  const text = (name: string) => (kind === 'job' ? valueText(after?.[name]) : null)
  const [platform, account, operation] = [text('platform'), text('account'), text('operation')]
  return {
    platform,
    paths: {
      ...(platform !== null && account !== null && { account: officePaths.account(platform, account) }),
      ...(operation !== null && { operation: pathOfWorkItem('operation', operation) }),
    },
  }
}

/** Named elsewhere: the document in the title, the platform of a job with its account. */
const namedElsewhere: readonly string[] = ['document kind', 'job platform']

function valuesOf({ kind, before, after }: ChangingEvent): Value[] {
  return differencesOf(before, after).filter(({ name }) => !namedElsewhere.includes(`${kind} ${name}`))
}

const foldedFrom = 2
/** The subject is shown before the collapsed part. */
const about: readonly string[] = ['section', 'staff', 'staffAccount']
const longFrom = 200

function isLong({ before, after }: Value): boolean {
  return (before?.length ?? 0) + (after?.length ?? 0) > longFrom
}

interface Value {
  name: string
  before: string | null
  after: string | null
}

interface Line extends Value {
  label: string
  /** Where the new value leads. */
  href: string | undefined
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return lines.map(({ name, label, before, after, href }) => (
    <p key={name}>
      <span className="muted">{label}</span>{' '}
      {before !== null && (
        <del>
          <Codes>{before}</Codes>
        </del>
      )}
      {before !== null && after !== null && ' → '}
      {after !== null && (
        <ins>
          {href === undefined ? (
            <Codes>{after}</Codes>
          ) : (
            <Link href={href}>
              <Codes>{after}</Codes>
            </Link>
          )}
        </ins>
      )}
    </p>
  ))
}

/** Returns whether the name is a currency, which needs no label. */
function isCurrency(name: string): boolean {
  return currencies.some((one) => one === name)
}

function differencesOf(before: Values | null, after: Values | null): Value[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names]
    .map((name) => ({ name, before: valueText(before?.[name]), after: valueText(after?.[name]) }))
    .filter((line) => line.before !== line.after)
}

function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value === '' ? '–' : value
  if (Array.isArray(value)) return value.map((one) => valueText(one) ?? '–').join(', ') || '–'
  return JSON.stringify(value)
}

/** Returns a function that returns "Amount" for a value's name; a name without a label is split into words. */
function useValueName(): (name: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    account: t`Account`,
    added: t`New transactions`,
    amount: t`Amount`,
    awayFrom: t`First day`,
    awayUntil: t`Last day`,
    bankId: t`Bank transaction ID`,
    clientReason: t`Text for the client`,
    bankLine: t`Bank transaction`,
    by: t`Confirmed with`,
    batch: t`Payout batch`,
    charge: t`Bank charges deducted`,
    providerCharges: t`Card provider’s charges`,
    client: t`Client`,
    clientStatus: t`Client category`,
    closing: t`Closing balance`,
    complaint: t`Complaint`,
    count: t`Count`,
    currency: t`Currency`,
    deposit: t`Deposit`,
    destination: t`To account`,
    device: t`Device`,
    differences: t`Discrepancies`,
    differing: t`Details differ`,
    field: t`Field`,
    file: t`File`,
    files: t`Files`,
    assignee: t`Assigned to`,
    filter: t`Filters`,
    flag: t`Flag`,
    from: t`Current value`,
    holder: t`Account holder`,
    id: t`Operation ID`,
    keys: t`Count`,
    kid: t`Key`,
    kind: t`Type`,
    leverage: t`Leverage`,
    leftOut: t`Excluded`,
    lines: t`Transactions`,
    links: t`One-time links`,
    list: t`List`,
    month: t`Month`,
    name: t`Name`,
    note: t`Note`,
    number: t`Number`,
    operation: t`Belongs to`,
    payer: t`Payer`,
    platform: t`Platform`,
    proposal: t`Proposal`,
    purpose: t`Payment reference`,
    rate: t`Rate`,
    received: t`Arrived`,
    ref: t`Reference`,
    reference: t`Reference`,
    remittance: t`Payment reference`,
    result: t`Result`,
    roles: t`Roles`,
    rows: t`Rows`,
    section: t`Section`,
    sha256: t`SHA-256`,
    source: t`From account`,
    staff: t`Person`,
    staffAccount: t`Staff account`,
    step: t`Step`,
    sum: t`Total`,
    to: t`Requested`,
    topic: t({ message: 'Subject', context: 'enquiry' }),
    total: t`Total`,
    type: t`Type`,
    unread: t`Unread`,
    version: t`Version`,
    whole: t`Audit log verified`,
    'windDown.deposits': t`No new deposits`,
    'windDown.leverage': t`No higher leverage`,
    'windDown.newAccounts': t`No new trading accounts`,
    withdrawal: t`Withdrawal`,
  }
  const label = useLabels(profileLabels, codeAsText)
  return (name) => (Object.hasOwn(words, name) ? words[name] : undefined) ?? label(name)
}
