import { IconAlertTriangleFilled, IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { officePaths } from '#contract/office-paths.ts'
import { Skeleton } from '#ui/feedback/empty-state.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { timeWords } from '#ui/text/time.tsx'
import { useSpanLabels } from '../../decision/due-labels.tsx'
import { useStaff } from '../../session.ts'
import type { Overview } from '#contract/office/overview.ts'

type Integration = NonNullable<Overview['integrations']>[number]

const looks = {
  'not-answering': { icon: IconAlertTriangleFilled, tone: 'tone-bad', rank: 0 },
  slow: { icon: IconAlertTriangleFilled, tone: 'tone-wait', rank: 1 },
  operational: { icon: IconCircleCheckFilled, tone: 'tone-ok', rank: 2 },
  unused: { icon: IconCircleDashed, tone: 'muted', rank: 3 },
} as const

/** The health of each integration, problems first. */
export function IntegrationsPart({
  integrations,
  at,
}: {
  integrations: Overview['integrations'] | undefined
  at: Date | undefined
}) {
  const { t } = useLingui()
  const sorted = integrations?.toSorted((a, b) => looks[a.state].rank - looks[b.state].rank)
  return (
    <section>
      <div className="figures-head">
        <h2>{t`Integrations`}</h2>
        <Link href={officePaths.failedJobs}>{t`Failed operations`}</Link>
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
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  const span = useSpanLabels()
  const { name, state, lastAnswer, answers, waiting, oldestWaiting } = integration
  const { icon: Icon, tone } = looks[state]
  const names = { MT4: 'MT4', MT5: 'MT5', mail: t`Email` } as const
  const words = {
    'not-answering': t`not answering`,
    slow: t`slow`,
    operational: t`operational`,
    unused: t`no operations yet`,
  } as const
  return (
    <li>
      <Icon className={`small ${tone}`} aria-hidden="true" />
      <b>
        <Link href={`${officePaths.failedJobs}?q=${name}`}>{names[name]}</Link>
      </b>
      <span className={state === 'slow' || state === 'not-answering' ? `strong ${tone}` : 'muted'}>{words[state]}</span>
      <span className="overview-detail numbers">
        {lastAnswer && <Trans>last response {timeWords(lastAnswer, i18n.locale, at, firm.timeZone)}</Trans>}
        {answers > 0 && (
          <>
            {' · '}
            <Plural value={answers} one="# in 15 min" other="# in 15 min" />
          </>
        )}
        {waiting > 0 && oldestWaiting && (
          <>
            {lastAnswer && ' · '}
            <Plural value={waiting} one="# pending" other="# pending" />,{' '}
            <Trans>oldest {span(at.getTime() - oldestWaiting.getTime())}</Trans>
          </>
        )}
      </span>
    </li>
  )
}
