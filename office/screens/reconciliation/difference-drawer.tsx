import { Trans, useLingui } from '@lingui/react/macro'
import { explainDifference, getDifference, listDifferences } from '#contract/office/books.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { officePaths, pathOfWork } from '#contract/office-paths.ts'
import { workKinds } from '#rules/work.ts'
import { Button } from '#ui/button.tsx'
import { Drawer } from '#ui/dialog.tsx'
import { useEndpoint } from '#ui/endpoint-query.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { groupedByFour } from '#ui/grouped.ts'
import { KeyValues } from '#ui/key-values.tsx'
import { Link } from '#ui/link.tsx'
import { Money } from '#ui/money.tsx'
import { Time } from '#ui/time.tsx'
import { useDifferenceWords } from '../../records/difference-list.tsx'
import { DeedDialog } from '../../records/deed-dialog.tsx'
import { useLastLook } from '../../records/last-look.ts'
import { useRecordWord } from '../../records/work-words.ts'
import { useEntryWord, useFactRows } from './fact-words.tsx'

type Difference = AnswerOf<typeof getDifference>['difference']

/** One difference with what both sides booked around it. */
export function DifferenceDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui()
  const word = useDifferenceWords()
  const entryWord = useEntryWord()
  const look = useLastLook<'explain'>()
  const { data, error } = useEndpoint(getDifference, { id })
  const difference = data?.difference
  const refusal = difference?.verbs.find(({ verb }) => verb === 'explain')?.refusal ?? null
  if (look.open && difference) return <ExplainDialog difference={difference} onClose={look.leave} />
  return (
    <Drawer isOpen title={difference ? word(difference.row.kind) : t`Difference`} onClose={onClose}>
      {error && <ErrorPanel failure={error} />}
      {difference && (
        <div className="stack-6">
          <Facts difference={difference} />
          <Side
            title={t`Ledger`}
            difference={difference}
            lines={difference.ours.map((line) => ({ ...line, what: entryWord(line.kind) }))}
          />
          <Side
            title={t`Other side`}
            difference={difference}
            lines={difference.theirs.map((line) => ({ ...line, what: line.ticket }))}
          />
          {difference.reason && <p>{difference.reason}</p>}
          {!refusal && (
            <Button ref={look.opener('explain')} kind="primary" onClick={() => look.ask('explain')}>
              <Trans>Explain…</Trans>
            </Button>
          )}
          {refusal && refusal.code !== 'wrong-state' && <p className="muted">{refusal.text}</p>}
        </div>
      )}
    </Drawer>
  )
}

function Facts({ difference }: { difference: Difference }) {
  const factRows = useFactRows()
  const record = useRecordWord()
  const { row } = difference
  const subject = workKinds.find((kind) => kind === row.subject)
  const { currency } = row
  const amount = (minor: bigint | null) =>
    minor === null || currency === null ? '–' : <Money amount={{ minor, currency }} />
  return (
    <KeyValues
      rows={[
        row.client && {
          key: <Trans>Client</Trans>,
          value: <Link href={officePaths.client(row.client.id)}>{row.client.name}</Link>,
        },
        subject !== undefined &&
          row.record !== null && {
            key: <Trans>Belongs to</Trans>,
            value: <Link href={pathOfWork(subject, row.record)}>{record(subject)}</Link>,
          },
        row.accountNumber !== null && { key: <Trans>Account</Trans>, value: groupedByFour(row.accountNumber) },
        { key: <Trans>Found</Trans>, value: <Time at={row.foundAt} form="history" /> },
        { key: <Trans>Ledger says</Trans>, value: amount(row.ours) },
        { key: <Trans>Other side says</Trans>, value: amount(row.theirs) },
        { key: <Trans>Difference</Trans>, value: amount(row.difference) },
        ...factRows(row.facts, currency),
      ]}
    />
  )
}

interface SideProps {
  title: string
  difference: Difference
  lines: readonly { ref: string; what: string; amount: bigint; at: Date }[]
}

function Side({ title, difference, lines }: SideProps) {
  const { currency } = difference.row
  if (lines.length === 0 || currency === null) return null
  return (
    <section className="stack-2">
      <h3>{title}</h3>
      <KeyValues
        rows={lines.map((line) => ({
          key: (
            <>
              <Time at={line.at} form="history" />
              <br />
              {line.what} {line.ref}
            </>
          ),
          value: <Money amount={{ minor: line.amount, currency }} signed />,
        }))}
      />
    </section>
  )
}

function ExplainDialog({ difference, onClose }: { difference: Difference; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <DeedDialog
      endpoint={explainDifference}
      input={(reason) => ({ id: difference.id, version: difference.version, reason })}
      refreshes={[listDifferences, getDifference]}
      done={t`The difference is explained.`}
      title={<Trans>Explain the difference</Trans>}
      command={<Trans>Explain</Trans>}
      onClose={onClose}
    >
      <p>
        <Trans>
          It leaves the list of open differences. No money moves: what is to be booked is asked for under Corrections.
        </Trans>
      </p>
    </DeedDialog>
  )
}
