import { IconCircleCheckFilled, IconCircleDashed, IconCircleX, IconProgress } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type ProfessionalAnswers, professionalCriteria } from '#rules/professional-status.ts'

/** The test, always visible: two of three criteria. */
export function CriteriaOverview({ answers, step }: { answers: ProfessionalAnswers; step: number }) {
  const { t } = useLingui()
  const test = professionalCriteria(answers)
  const markOf = (own: number, passed: boolean) =>
    step === own ? 'now' : step < own ? 'ahead' : passed ? 'passed' : 'failed'
  return (
    <aside className="sheet padded professional-decision">
      <h2 className="title-3">{t`How we decide`}</h2>
      <p className="muted">{t`You must meet two of these three criteria. We check your answers against evidence.`}</p>
      <ul>
        <CriterionRow
          mark={markOf(2, test.trades)}
        >{t`10 significant trades per quarter, over four quarters`}</CriterionRow>
        <CriterionRow mark={markOf(3, test.portfolio)}>{t`Portfolio over EUR\u00a0500,000`}</CriterionRow>
        <CriterionRow mark={markOf(4, test.experience)}>{t`One year in a professional role`}</CriterionRow>
      </ul>
      {step === 4 && (
        <p className="muted professional-hint">
          <Trans>If you answer No, we send your application with the answers given so far.</Trans>
        </p>
      )}
    </aside>
  )
}

const marks = {
  passed: { icon: IconCircleCheckFilled, tone: 'tone-ok' },
  failed: { icon: IconCircleX, tone: 'faint' },
  now: { icon: IconProgress, tone: 'tone-run' },
  ahead: { icon: IconCircleDashed, tone: 'faint' },
}

function CriterionRow({ mark, children }: { mark: keyof typeof marks; children: ReactNode }) {
  const { t } = useLingui()
  const { icon: Icon, tone } = marks[mark]
  const markLabel = { passed: t`met`, failed: t`not met`, now: t`in progress`, ahead: t`not answered` }[mark]
  return (
    <li>
      <Icon className={tone} aria-hidden="true" />
      <span>
        {children} <span className="unseen">{markLabel}</span>
      </span>
    </li>
  )
}
