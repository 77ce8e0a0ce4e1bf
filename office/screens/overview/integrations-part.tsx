import { IconAlertTriangleFilled, IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { officePaths } from '#contract/office-paths.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { clockTime, timeText } from '#ui/text/time.tsx'
import { useSpanLabels } from '../../decision/due-labels.tsx'
import { useStaff } from '../../session.ts'
import type { Overview } from '#contract/office/overview.ts'
import { failedMax } from '#contract/office/failed-count.ts'

type Integration = NonNullable<Overview['integrations']>[number]

const looks = {
  'not-answering': { icon: IconAlertTriangleFilled, tone: 'tone-bad', rank: 0 },
  'out-of-date': { icon: IconAlertTriangleFilled, tone: 'tone-wait', rank: 1 },
  slow: { icon: IconAlertTriangleFilled, tone: 'tone-wait', rank: 2 },
  operational: { icon: IconCircleCheckFilled, tone: 'tone-ok', rank: 3 },
  idle: { icon: IconCircleDashed, tone: 'muted', rank: 4 },
  unused: { icon: IconCircleDashed, tone: 'muted', rank: 5 },
} as const

interface IntegrationsPartProps {
  integrations: Overview['integrations'] | undefined
  failed: Overview['failedOperations'] | undefined
  at: Date | undefined
}

/** The health of each integration, problems first. */
export function IntegrationsPart({ integrations, failed, at }: IntegrationsPartProps) {
  const { t } = useLingui()
  const sorted = integrations?.toSorted((a, b) => looks[a.state].rank - looks[b.state].rank)
  return (
    <section>
      <div className="figures-head">
        <h2>{t`Integrations`}</h2>
        <Link href={officePaths.failedJobs}>
          {t`Failed operations`}
          {failed !== null && failed !== undefined && (
            <>
              {' '}
              <b className={failed > 0 ? 'tone-bad numbers' : 'numbers'}>
                {failed > failedMax ? t`more than ${failedMax}` : failed}
              </b>
            </>
          )}
        </Link>
      </div>
      <ul className="overview-integrations">
        {sorted?.map((one) => <OneIntegration key={one.name} integration={one} at={at ?? new Date()} />) ?? (
          <li>
            <Skeleton width="80%" />
          </li>
        )}
      </ul>
    </section>
  )
}

function OneIntegration({ integration, at }: { integration: Integration; at: Date }) {
  const { t } = useLingui()
  const { name, state } = integration
  const { icon: Icon, tone } = looks[state]
  const names = { MT4: 'MT4', MT5: 'MT5', mail: t`Email`, card: t`Card provider`, scanner: t`Virus scanner` } as const
  const words = {
    'not-answering': t`not responding`,
    'out-of-date': t`out of date`,
    slow: t`slow`,
    operational: t`operational`,
    idle: t`no calls in 15\u00a0min`,
    unused: t`no calls yet`,
  } as const
  const list = operationsListUrl(name)
  return (
    <li>
      <Icon className={`small ${tone}`} aria-hidden="true" />
      <b>{list === null ? names[name] : <Link href={list}>{names[name]}</Link>}</b>
      <span className={looks[state].rank < looks.operational.rank ? `strong ${tone}` : 'muted'}>{words[state]}</span>
      <Detail integration={integration} at={at} />
    </li>
  )
}

/**
 * Returns the URL of the list of an integration's operations; null if it has none: card payments are not operations, and
 * a file that is not scanned yet cannot be viewed.
 */
function operationsListUrl(name: Integration['name']): string | null {
  return name === 'card' || name === 'scanner' ? null : `${officePaths.failedJobs}?q=${name}`
}

/** Response time beside the usual one, the last response, failures of 15 minutes, and what is pending. */
function Detail({ integration, at }: { integration: Integration; at: Date }) {
  const { i18n } = useLingui()
  const { firm } = useStaff()
  const span = useSpanLabels()
  const duration = useDuration()
  const { name, lastAnswer, lastFailure, answers, failures, averageMs, usualMs, waiting, oldestWaiting } = integration
  const day = (when: Date) => isoDay(dayIn(when, firm.timeZone))
  const time = (when: Date) =>
    day(when) === day(at) ? clockTime(when, firm.timeZone) : timeText(when, i18n.locale, at, firm.timeZone)
  const calls = answers + failures
  const average = averageMs === null ? null : duration(averageMs)
  const usual = usualMs === null ? null : duration(usualMs)
  const facts: readonly { key: string; fact: ReactNode }[] = [
    {
      key: 'time',
      fact:
        average !== null &&
        (usual === null ? (
          average
        ) : (
          <Trans>
            {average}, usually {usual}
          </Trans>
        )),
    },
    { key: 'answer', fact: lastAnswer && <Trans>last response {time(lastAnswer)}</Trans> },
    {
      key: 'failure',
      fact: failures === 0 && lastFailure && lastFailure > (lastAnswer ?? 0) && (
        <Trans>last failure {time(lastFailure)}</Trans>
      ),
    },
    {
      key: 'calls',
      fact:
        failures > 0 ? (
          <b className="tone-bad">
            <Trans>
              {failures} of <Plural value={calls} one="# call" other="# calls" /> failed in 15{'\u00a0'}min
            </Trans>
          </b>
        ) : (
          answers > 0 && <Plural value={answers} one={'# call in 15\u00a0min'} other={'# calls in 15\u00a0min'} />
        ),
    },
    {
      key: 'pending',
      fact: waiting > 0 && oldestWaiting && (
        <>
          {name === 'scanner' ? (
            <Plural value={waiting} one="# file not scanned" other="# files not scanned" />
          ) : (
            <Plural value={waiting} one="# pending" other="# pending" />
          )}
          , <Trans>oldest {span(at.getTime() - oldestWaiting.getTime())}</Trans>
        </>
      ),
    },
  ]
  const shown = facts.filter(({ fact }) => fact !== false && fact !== null)
  if (shown.length === 0) return null
  return (
    <span className="overview-detail numbers">
      {shown.map(({ key, fact }, place) => (
        <span key={key}>
          <span className="unbroken">
            {fact}
            {place < shown.length - 1 && ','}
          </span>{' '}
        </span>
      ))}
    </span>
  )
}

/** Returns "42 ms" or "2.8 s". */
function useDuration(): (ms: number) => string {
  const { t, i18n } = useLingui()
  return (ms) => {
    if (ms < 1000) return t`${ms}\u00a0ms`
    const seconds = i18n.number(ms / 1000, { maximumFractionDigits: 1 })
    return t`${seconds}\u00a0s`
  }
}
