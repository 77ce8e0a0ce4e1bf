import {
  IconAlertTriangle,
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconOctagonMinus,
} from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type CheckedKind, type DecisionCheck, overrideCheck } from '#contract/office/checks.ts'
import { Button } from '#ui/forms/button.tsx'
import { fieldErrors } from '#ui/api/api-error.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Time } from '#ui/text/time.tsx'
import { Quoted } from '../records/quoted.tsx'
import { ReasonDialog } from '../records/reason-dialog.tsx'
import { type ProofFile, ProofFileField } from './proof-file-field.tsx'
import { type CheckGrade, checkGrades, gradeOf } from './check-grades.ts'
import type { Acknowledging } from './decision.tsx'
import './decision-checks.css'

interface DecisionChecksProps {
  kind: CheckedKind
  record: string
  /** The client whose deposit a bank transaction is matched to. */
  client?: string | undefined
  /** The account holder as being entered. */
  holder?: string | undefined
  checks: readonly DecisionCheck[]
  /** Absent in a preview and for a decided record. */
  acknowledging?: Acknowledging | undefined
}

/** The checks beside a decision: blocks and who can override them, warnings to acknowledge, passed checks. */
export function DecisionChecks({ kind, record, client, holder, checks, acknowledging }: DecisionChecksProps) {
  const { t } = useLingui()
  const [overriding, setOverriding] = useState<DecisionCheck | null>(null)
  const grade = (check: DecisionCheck) => gradeOf(check, acknowledging?.has)
  const sorted = checks.toSorted((a, b) => checkGrades.indexOf(grade(a)) - checkGrades.indexOf(grade(b)))
  const count = (one: CheckGrade) => checks.filter((check) => grade(check) === one).length
  return (
    <section className="sheet decision-checks">
      <header>
        <h2 className="title-3">{t`Checks`}</h2>
        <p className="row wrap">
          {count('block') > 0 && (
            <span className="tone-bad strong">
              <Plural value={count('block')} one="# block" other="# blocks" />
            </span>
          )}
          {count('warn') > 0 && (
            <span className="tone-wait strong">
              <Plural value={count('warn')} one="# warning" other="# warnings" />
            </span>
          )}
          <span className="muted">
            <Plural value={count('pass')} one="# passed" other="# passed" />
          </span>
        </p>
      </header>
      <ul>
        {sorted.map((check) => (
          <Row
            key={check.name}
            check={check}
            grade={grade(check)}
            acknowledging={acknowledging}
            onOverride={() => setOverriding(check)}
          />
        ))}
      </ul>
      {overriding && (
        <OverrideDialog
          kind={kind}
          record={record}
          client={client}
          holder={holder}
          check={overriding}
          onClose={() => setOverriding(null)}
        />
      )}
    </section>
  )
}

const marks: Readonly<Record<CheckGrade, ReactNode>> = {
  block: <IconOctagonMinus className="small tone-bad" aria-hidden="true" />,
  warn: <IconAlertTriangleFilled className="small tone-wait" aria-hidden="true" />,
  acknowledged: <IconAlertTriangle className="small tone-wait" aria-hidden="true" />,
  overridden: <IconOctagonMinus className="small muted" aria-hidden="true" />,
  'not-carried-out': <IconCircleDashed className="small muted" aria-hidden="true" />,
  pass: <IconCircleCheckFilled className="small tone-ok" aria-hidden="true" />,
}

interface RowProps {
  check: DecisionCheck
  grade: CheckGrade
  acknowledging: Acknowledging | undefined
  onOverride: () => void
}

function Row({ check, grade, acknowledging, onOverride }: RowProps) {
  const word = useGradeLabel()
  // A check without consequences takes one line.
  const isQuiet = grade === 'pass' || grade === 'not-carried-out'
  const isChanged = acknowledging?.hasChanged(check) ?? false
  return (
    <li className={`decision-check ${grade}`}>
      {marks[grade]}
      <div>
        <p>
          <span className="unseen">{word(grade)}: </span>
          <b className="strong">{check.title}</b>
          {isQuiet && <span className="muted"> {check.text}</span>}
          {isChanged && (
            <span className="tone-wait strong check-changed">
              {' '}
              <Trans>Changed since you opened this page</Trans>
            </span>
          )}
        </p>
        {!isQuiet && <p>{check.text}</p>}
        {grade === 'block' && check.wayOut !== null && <p className="muted">{check.wayOut}</p>}
        {grade === 'block' && check.overrideRefusal !== null && <p className="muted">{check.overrideRefusal}</p>}
        {check.overridden && (
          <p className="muted">
            <Trans>
              Overridden by {check.overridden.by}, <Time at={check.overridden.at} />:
            </Trans>{' '}
            <Quoted>{check.overridden.reason}</Quoted>
            {check.overridden.proof && (
              <>
                {' '}
                <Trans>Evidence: {check.overridden.proof.filename}</Trans>
              </>
            )}
          </p>
        )}
        <Facts check={check} />
        {acknowledging && check.result === 'warn' && (
          <Checkbox checked={acknowledging.has(check)} onChange={() => acknowledging.toggle(check)}>
            <Trans>I acknowledge this warning</Trans>
          </Checkbox>
        )}
        {grade === 'block' && check.mayOverride && (
          <Button kind="outline" size="small" onClick={onOverride}>
            <Trans>Override block</Trans>…
          </Button>
        )}
      </div>
    </li>
  )
}

function Facts({ check }: { check: DecisionCheck }) {
  const source = useSourceLabel()
  if (check.facts.length === 0) return null
  return (
    <details className="check-facts">
      <summary>
        <Plural value={check.facts.length} one="# fact" other="# facts" />
      </summary>
      <ul>
        {check.facts.map((fact) => (
          <li key={fact.name}>
            {fact.name}: <span className="numbers">{fact.value}</span>{' '}
            <span className="muted">
              ({source(fact.source)}
              {fact.at && (
                <>
                  , <Time at={fact.at} />
                </>
              )}
              )
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function OverrideDialog({
  kind,
  record,
  client,
  holder,
  check,
  onClose,
}: Pick<DecisionChecksProps, 'kind' | 'record' | 'client' | 'holder'> & { check: DecisionCheck; onClose: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [proof, setProof] = useState<ProofFile | null>(null)
  const [isMissing, setMissing] = useState(false)
  const readAgain = () => void queries.invalidateQueries()
  const overriding = useEndpointMutation(overrideCheck, {
    onDone: () => {
      onClose()
      readAgain()
    },
    onFailure: (failure) => {
      if (failure.status === 409) readAgain()
    },
  })
  return (
    <ReasonDialog
      title={t`Override block: ${check.title}`}
      command={<Trans>Override block</Trans>}
      kind="danger"
      pending={overriding.isPending}
      failure={overriding.error}
      fields={check.needsProof ? ['proof'] : []}
      onConfirm={(reason) => {
        setMissing(check.needsProof && !proof)
        if (check.needsProof && !proof) return
        const request = { kind, id: record, client, holder, check: check.name, digest: check.digest }
        overriding.mutate({ ...request, reason, ...(proof ? { proof } : {}) })
      }}
      onClose={onClose}
    >
      <p>{check.text}</p>
      {check.needsProof && (
        <ProofFileField
          error={isMissing ? t`Choose the evidence file.` : fieldErrors(overriding.error)['proof']}
          onProof={(chosen) => {
            setProof(chosen)
            setMissing(false)
          }}
        />
      )}
      <p className="muted">
        <Trans>
          The override applies only to these facts. You cannot decide this request afterwards. Overrides are listed
          under Reports.
        </Trans>
      </p>
    </ReasonDialog>
  )
}

function useGradeLabel(): (grade: CheckGrade) => string {
  const { t } = useLingui()
  const words: Readonly<Record<CheckGrade, string>> = {
    block: t`Block`,
    warn: t`Warning`,
    acknowledged: t`Acknowledged`,
    overridden: t`Overridden`,
    'not-carried-out': t`Not carried out`,
    pass: t`Passed`,
  }
  return (grade) => words[grade]
}

function useSourceLabel(): (source: DecisionCheck['facts'][number]['source']) => string {
  const { t } = useLingui()
  const words: Readonly<Record<DecisionCheck['facts'][number]['source'], string>> = {
    records: t`Our records`,
    ledger: t`Ledger`,
    platform: t`Platform`,
    bank: t`Bank`,
    settings: t`Settings`,
  }
  return (source) => words[source]
}
