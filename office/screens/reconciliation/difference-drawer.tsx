import { Trans, useLingui } from '@lingui/react/macro'
import { explainDifference, getDifference, listDifferences } from '#contract/office/accounting.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { chargedBack, postedSecondDeal, providerSilent, unsettledStates, unclearDeal } from '#rules/differences.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { Button } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Money } from '#ui/money/money.tsx'
import { Time } from '#ui/text/time.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { useCanDo } from '../../session.ts'
import { type Confirmation, useConfirmation } from '../../records/confirmation.ts'
import { useDifferenceLabels, useRecordLabel } from '../../records/work-item-labels.ts'
import { ConfirmDialog, type Difference, ProposeDialog, RejectDialog, useProposalLabels } from './decide-dialogs.tsx'
import { useEntryLabel, useFactRows } from './fact-labels.tsx'

type DifferenceAction = 'explain' | 'propose' | 'confirm' | 'reject'

const dialogs = {
  explain: ExplainDialog,
  propose: ProposeDialog,
  confirm: ConfirmDialog,
  reject: RejectDialog,
} as const

/** One discrepancy with the postings of both sides around it. */
export function DifferenceDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui()
  const word = useDifferenceLabels()
  const entryWord = useEntryLabel()
  const look = useConfirmation<DifferenceAction>()
  const { data, error, refetch } = useEndpoint(getDifference, { id })
  const difference = data?.difference
  if (look.open && difference) {
    const Dialog = dialogs[look.open]
    return <Dialog difference={difference} onClose={look.leave} />
  }
  return (
    <Drawer title={difference ? word(difference.row.kind) : t`Discrepancy`} onClose={onClose}>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {difference && (
        <div className="stack-6">
          <DecisionNote kind={difference.row.kind} state={difference.row.state} />
          <Facts difference={difference} />
          <Side
            title={t`Ledger`}
            difference={difference}
            lines={difference.ours.map((line) => ({ ...line, what: entryWord(line.kind) }))}
          />
          <Side
            title={t`Other party`}
            difference={difference}
            lines={difference.theirs.map((line) => ({ ...line, what: line.ticket }))}
          />
          {difference.reason && !difference.row.proposal && <p>{difference.reason}</p>}
          <DecisionActions difference={difference} look={look} />
          <StartCorrection difference={difference} />
        </div>
      )}
    </Drawer>
  )
}

/** What to know or to do before the decision on some kinds of discrepancy. */
function DecisionNote({ kind, state }: Pick<Difference['row'], 'kind' | 'state'>) {
  const { t } = useLingui()
  const notes: Readonly<Record<string, string>> = {
    [unclearDeal]: t`The deal may be one of our operations, so nothing is sent to the account. Before you decide, compare it with the pending deposits, withdrawals and transfers of the account.`,
    [postedSecondDeal]: t`Two people decided that this deal is not one of our operations, and it was posted. Its comment can be read now. Another deal already has its reference, or the operation was rejected. If the client must not keep the amount, request a correction for the opposite amount. Then propose an explanation.`,
    [providerSilent]: t`Recovery, and refunds after a restart, wait for the response. The payment is queried again automatically, and this discrepancy is closed once the card provider responds. Before you decide, check the payment in the back office of the card provider.`,
  }
  return standing.includes(state) && notes[kind] ? <p>{notes[kind]}</p> : null
}

/** The actions that the reader may take now, or why another person must take them. */
function DecisionActions({ difference, look }: { difference: Difference; look: Confirmation<DifferenceAction> }) {
  const { t } = useLingui()
  const refusal = (verb: string) => difference.verbs.find((one) => one.verb === verb)?.refusal ?? null
  const isOpen = difference.row.state === 'open'
  const first: DifferenceAction = difference.proposals.length > 0 ? 'propose' : 'explain'
  if (difference.row.state !== 'proposed' && !isOpen) return null
  const why = refusal(isOpen ? first : 'confirm')
  return (
    <>
      {why && <p className="muted">{why.text}</p>}
      <div className="row wrap">
        {!isOpen && !refusal('reject') && (
          <Button ref={look.opener('reject')} kind="danger" onClick={() => look.ask('reject')}>{t`Reject…`}</Button>
        )}
        {!isOpen && !why && (
          <Button ref={look.opener('confirm')} kind="primary" onClick={() => look.ask('confirm')}>{t`Confirm…`}</Button>
        )}
        {isOpen && !why && (
          <Button ref={look.opener(first)} kind="primary" onClick={() => look.ask(first)}>
            {first === 'propose' ? <Trans>Propose a decision…</Trans> : <Trans>Add explanation…</Trans>}
          </Button>
        )}
      </div>
    </>
  )
}

/** Money that the other party certainly returned: the account still has its credit. */
const moneyBackKinds: readonly string[] = ['refunded', chargedBack]
const standing: readonly string[] = unsettledStates

/**
 * Starts the correction of an account whose deposit the other party returned, as long as the discrepancy is not
 * settled.
 */
function StartCorrection({ difference: { row } }: { difference: Difference }) {
  const asks = useCanDo('askCorrection')
  const { account } = row.facts
  if (!asks || !moneyBackKinds.includes(row.kind) || !standing.includes(row.state)) return null
  if (row.subject !== 'deposit' || row.record === null || typeof account !== 'string') return null
  if (row.ours === null || row.theirs === null || row.theirs >= row.ours) return null
  return (
    <p>
      <Link className="lone-link" href={officePaths.askCorrection(account, row.theirs - row.ours, row.record)}>
        <Trans>Request correction…</Trans>
      </Link>
    </p>
  )
}

function Facts({ difference }: { difference: Difference }) {
  const factRows = useFactRows()
  const record = useRecordLabel()
  const { row } = difference
  const words = useProposalLabels(row.kind)
  const subject = workItemKinds.find((kind) => kind === row.subject)
  const { currency } = row
  const amount = (minor: bigint | null) =>
    minor === null || currency === null ? '–' : <Money amount={{ minor, currency }} />
  return (
    <DescriptionList
      rows={[
        row.client && {
          key: <Trans>Client</Trans>,
          value: <Link href={officePaths.client(row.client.id)}>{row.client.name}</Link>,
        },
        subject !== undefined &&
          row.record !== null && {
            key: <Trans>Belongs to</Trans>,
            value: <Link href={pathOfWorkItem(subject, row.record)}>{record(subject)}</Link>,
          },
        row.accountNumber !== null && { key: <Trans>Account</Trans>, value: groupedByFour(row.accountNumber) },
        { key: <Trans>Found</Trans>, value: <Time at={row.foundAt} /> },
        { key: <Trans>Ledger</Trans>, value: amount(row.ours) },
        { key: <Trans>Other party</Trans>, value: amount(row.theirs) },
        { key: <Trans>Discrepancy</Trans>, value: amount(row.difference) },
        ...factRows(row.accountNumber === null ? row.facts : { ...row.facts, account: null }, currency),
        row.proposal && { key: <Trans>Proposal</Trans>, value: words[row.proposal.proposal].label },
        row.proposal && {
          key: <Trans>Proposed by</Trans>,
          value: (
            <>
              {row.proposal.by.name}, <Time at={row.proposal.at} />
            </>
          ),
        },
        row.proposal && { key: <Trans>Reason</Trans>, value: row.proposal.reason },
        row.decidedBy && { key: <Trans>Decided by</Trans>, value: row.decidedBy.name },
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
      <DescriptionList
        rows={lines.map((line) => ({
          key: (
            <>
              <Time at={line.at} form="exact" />
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
    <ActionDialog
      endpoint={explainDifference}
      input={(reason) => ({ id: difference.id, version: difference.version, reason })}
      refreshes={[listDifferences, getDifference]}
      done={t`The explanation has been added.`}
      title={<Trans>Add explanation</Trans>}
      command={<Trans>Add explanation</Trans>}
      onClose={onClose}
    >
      <p>{t`This closes the discrepancy. No money moves. If a posting is needed, request it under Corrections.`}</p>
    </ActionDialog>
  )
}
