import { IconCircleCheckFilled, IconSquareRoundedXFilled } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ProfessionalApplication } from '#contract/office/professional.ts'
import { useChoiceLabel } from '#ui/text/choice-labels.ts'
import { type Column, Table } from '#ui/data/table.tsx'
import { RecordSection } from '../../decision/record-section.tsx'

type Criterion = ProfessionalApplication['tests'][number]

/** The criteria of COBS 3.5.3R as rows: the client's claims, and our own data. */
export function Criteria({ application: { tests, answers, enough } }: { application: ProfessionalApplication }) {
  const { t } = useLingui()
  const names = {
    trades: t`10 significant trades per quarter`,
    portfolio: t`Portfolio over EUR\u00a0500,000`,
    experience: t`One year in a professional role`,
  }
  const columns: Column<Criterion>[] = [
    {
      head: t`Criterion`,
      phone: 'title',
      cell: ({ code, claimed }) => (
        <span className="test-name">
          {claimed ? (
            <IconCircleCheckFilled className="small tone-ok" aria-hidden="true" />
          ) : (
            <IconSquareRoundedXFilled className="small tone-bad" aria-hidden="true" />
          )}
          <span>
            <span className="strong">{names[code]}</span>
            <small>{claimed ? t`met based on the answers` : t`not met`}</small>
          </span>
        </span>
      ),
    },
    {
      head: t`The client’s answer`,
      phone: 'time',
      cell: (test) => (
        <>
          <small className="test-said">{t`The client’s answer`}</small>
          <Answer test={test} answers={answers} />
        </>
      ),
    },
    {
      head: t`Profile information`,
      phone: 'status',
      cell: (test) => (
        <>
          <small className="test-said">{t`Profile information`}</small>
          <Evidence test={test} />
        </>
      ),
    },
  ]
  return (
    <RecordSection title={<Trans>Criteria (COBS 3.5.3R)</Trans>}>
      <div className="three-tests">
        <Table caption={t`Criteria (COBS 3.5.3R)`} columns={columns} rows={tests} rowKey={({ code }) => code} />
      </div>
      <p className="muted size-12 tests-rule">
        {enough
          ? t`Two of the three criteria are required (COBS 3.5.3R).`
          : t`Two of the three criteria are required (COBS 3.5.3R). These answers do not meet them.`}
      </p>
    </RecordSection>
  )
}

function Answer({ test: { code }, answers }: { test: Criterion; answers: ProfessionalApplication['answers'] }) {
  const { t } = useLingui()
  const yesNo = (answer: string | undefined) => (answer === 'Yes' ? t`Yes` : answer === 'No' ? t`No` : '–')
  if (code === 'portfolio') return yesNo(answers.question03)
  if (code === 'trades') {
    const count = answers.question02?.replace('-', '–')
    return count === undefined ? (
      yesNo(answers.question01)
    ) : (
      <Trans>
        {yesNo(answers.question01)}, {count} per quarter
      </Trans>
    )
  }
  const where = [answers.question05, answers.question06].filter(Boolean).join(', ')
  return (
    <>
      {yesNo(answers.question04)}
      {where !== '' && <>: {where}</>}
      {answers.question07 !== undefined && (
        <small className="muted test-more">
          {answers.question07 === 'Yes'
            ? t`The client states that the employer is regulated.`
            : t`The client states that the employer is not regulated.`}
        </small>
      )}
    </>
  )
}

function Evidence({ test: { code, claimed, evidence, verdict } }: { test: Criterion }) {
  const { t } = useLingui()
  const word = useChoiceLabel()
  if (evidence === null || evidence === '')
    return (
      <span className="muted">{code === 'trades' ? t`None. Trades at other firms are not included.` : t`None`}</span>
    )
  const figure = word(evidence)
  const evidenceText = code === 'portfolio' ? t`Savings ${figure}\u00a0GBP` : evidence.split(', ').map(word).join(', ')
  if (!claimed) return evidenceText
  return (
    <span className="test-evidence">
      {evidenceText}
      {verdict === 'ok' && <span className="tag ok">{t`supports it`}</span>}
      {verdict === 'warn' && <span className="tag wait">{t`does not confirm it`}</span>}
      {verdict === 'differs' && <span className="tag bad">{t`contradicts it`}</span>}
    </span>
  )
}
