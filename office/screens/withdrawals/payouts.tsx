import { IconFileDownload, IconInbox } from '@tabler/icons-react'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import type { AnswerOf } from '#contract/endpoint.ts'
import {
  listOfficeWithdrawals,
  makePayoutFile,
  payoutFile,
  payoutList,
  payWithdrawals,
} from '#contract/office/withdrawals.ts'
import { officePaths } from '#contract/office-paths.ts'
import { currencies } from '#rules/money.ts'
import { payoutFileName } from '#rules/withdrawals.ts'
import { useAddress } from '#ui/address.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Empty } from '#ui/empty.tsx'
import { useEndpoint, useVerb } from '#ui/endpoint-query.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Failure } from '#ui/failure.ts'
import { groupedByFour } from '#ui/grouped.ts'
import { Money, moneyText } from '#ui/money.tsx'
import { Notice } from '#ui/notice.tsx'
import { DecisionBar, OfficePage } from '#ui/office-page.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { tell } from '#ui/passing-notices.tsx'
import { ProofHint } from '#ui/proof-hint.tsx'
import { BareSelect } from '#ui/select.tsx'
import { Slip } from '#ui/slip.tsx'
import { type Column, Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { saveFile } from '#ui/upload.ts'
import { ClientCell } from '../../decision/queue.tsx'
import '../withdrawal/withdrawal.css'

type Payout = AnswerOf<typeof payoutList>['rows'][number]

const address = z.object({ currency: z.catch(z.enum(currencies), 'EUR') })

/** Hands the file to the browser; it is the same whenever it is asked for, so one that got lost is saved again. */
function savePayoutFile(id: string, name: string): void {
  saveFile(payoutFile.path.replace(':id', encodeURIComponent(id)), name).catch((thrown: unknown) => {
    if (thrown instanceof Failure) tell(thrown.error, { kind: 'bad' })
  })
}

/** What is approved and waits for the bank, in one currency; the file for the bank, and what the bank has sent. */
export function Payouts({ tabs }: { tabs: ReactNode }) {
  const { t, i18n } = useLingui()
  const [{ currency }, setAddress] = useAddress(address)
  const { data, error, refetch } = useEndpoint(payoutList, { currency }, { keepLast: true })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [paying, setPaying] = useState(false)
  const file = useVerb(makePayoutFile, {
    refreshes: [payoutList],
    onFailure: (failure) => tell(failure.error, { kind: 'bad' }),
    onDone: ({ id, name, count, sum }) => {
      const amount = moneyText({ minor: sum, currency }, i18n.locale)
      tell(t`${name}: ${plural(count, { one: '# payment', other: '# payments' })}, ${amount}.`)
      savePayoutFile(id, name)
    },
  })
  const rows = data?.rows ?? []
  const picked = rows.filter(({ id }) => chosen.has(id))
  const toggle = (id: string) =>
    setChosen(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]))
  const inNone = rows.filter((row) => row.payoutFile === null).length
  const columns: Column<Payout>[] = [
    {
      key: 'client',
      head: t`Client`,
      phone: 'title',
      cell: ({ client }) => <ClientCell client={client} />,
    },
    { key: 'holder', head: t`Holder`, cell: ({ holder }) => holder },
    {
      key: 'number',
      head: t`Bank account`,
      phone: 'time',
      cell: ({ iban, accountNumber }) => (
        <span className="numbers unbroken">{groupedByFour(iban ?? accountNumber ?? '–')}</span>
      ),
    },
    {
      key: 'reference',
      head: t`Reference`,
      cell: ({ reference }) => <span className="numbers unbroken">{reference}</span>,
    },
    { key: 'approved', head: t`Approved`, cell: ({ approvedAt }) => <Time at={approvedAt} /> },
    {
      key: 'file',
      head: t`File`,
      cell: ({ payoutFile: id, reference }) =>
        id === null ? (
          <span className="muted">–</span>
        ) : (
          <span className="row">
            <span className="numbers muted">{id.slice(-8)}</span>
            <Button
              kind="quiet"
              size="small"
              aria-label={t`Save again the file with ${reference}`}
              onClick={() => savePayoutFile(id, payoutFileName(currency, id))}
            >
              <Trans>Save again</Trans>
            </Button>
          </span>
        ),
    },
    {
      key: 'amount',
      head: t`Amount`,
      align: 'right',
      phone: 'figure',
      cell: ({ amount }) => <Money amount={{ minor: amount, currency }} />,
    },
    {
      key: 'pick',
      head: t`Sent`,
      phone: 'status',
      cell: ({ id, reference }) => (
        <label className="tick payout-sent">
          <span aria-hidden="true">
            <Trans>Sent</Trans>
          </span>
          <input
            type="checkbox"
            aria-label={t`${reference} was sent by the bank`}
            checked={chosen.has(id)}
            onChange={() => toggle(id)}
          />
        </label>
      ),
    },
  ]
  return (
    <OfficePage
      bar={
        rows.length > 0 && (
          <DecisionBar
            sentence={
              picked.length === 0 && inNone === 0 ? (
                <Trans>All of these stand in a file. Tick what the bank has sent.</Trans>
              ) : picked.length === 0 ? (
                <>
                  <Trans>
                    A file holds what stands in none yet; each payment stands in one file only. Tick what the bank has
                    sent.
                  </Trans>
                  <ProofHint />
                </>
              ) : (
                <Trans>
                  <b>Paid</b> tells each client that the money is on its way.
                </Trans>
              )
            }
          >
            {inNone > 0 && (
              <Button
                icon={<IconFileDownload className="small" aria-hidden="true" />}
                pending={file.isPending}
                onClick={() => file.mutate({ currency })}
              >
                <Plural value={inNone} one="Make the file for # payment" other="Make the file for # payments" />
              </Button>
            )}
            {picked.length > 0 && (
              <Button kind="primary" onClick={() => setPaying(true)}>
                <Plural value={picked.length} one="Mark # as paid…" other="Mark # as paid…" />
              </Button>
            )}
          </DecisionBar>
        )
      }
    >
      <PageHeader title={t`Withdrawals`} />
      {tabs}
      <div className="queue-tools">
        <BareSelect
          className="small"
          aria-label={t`Currency`}
          value={currency}
          onChange={(event) => {
            setChosen(new Set())
            setAddress({ currency: event.target.value })
          }}
          options={currencies.map((one) => ({ value: one, label: one }))}
        />
      </div>
      <div className="sheet">
        <Table
          caption={t`To pay out in ${currency}`}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowHref={({ id }) => officePaths.withdrawal(id)}
          {...(data && rows.length > 0
            ? {
                foot: [
                  <Plural key="count" value={data.count} one="# payment" other="# payments" />,
                  '',
                  '',
                  '',
                  '',
                  '',
                  <Money key="sum" amount={{ minor: data.sum, currency }} />,
                  '',
                ],
              }
            : {})}
          instead={
            error && !data ? (
              <ErrorPanel failure={error} onRetry={() => void refetch()} />
            ) : data && rows.length === 0 ? (
              <Empty
                level="h2"
                icon={<IconInbox aria-hidden="true" />}
                title={<Trans>Nothing to pay out in {currency}</Trans>}
              >
                <Trans>Withdrawals appear here once the platform has debited them.</Trans>
              </Empty>
            ) : null
          }
        />
      </div>
      {paying && (
        <PayDialog
          payouts={picked}
          currency={currency}
          onClose={() => setPaying(false)}
          onPaid={() => setChosen(new Set())}
        />
      )}
    </OfficePage>
  )
}

interface PayDialogProps {
  payouts: readonly Payout[]
  currency: (typeof currencies)[number]
  onClose: () => void
  onPaid: () => void
}

function PayDialog({ payouts, currency, onClose, onPaid }: PayDialogProps) {
  const { t } = useLingui()
  const [refused, setRefused] = useState<readonly string[]>([])
  const sum = payouts.reduce((all, { amount }) => all + amount, 0n)
  const pay = useVerb(payWithdrawals, {
    refreshes: [payoutList, listOfficeWithdrawals],
    onDone: ({ results }) => {
      onPaid()
      const said = results.flatMap(({ id, refusal }) => {
        const reference = payouts.find((one) => one.id === id)?.reference ?? id
        return refusal ? [`${reference}: ${refusal.text}`] : []
      })
      if (said.length > 0) return setRefused(said)
      tell(t`Marked as paid: ${results.length}.`)
      onClose()
    },
  })
  return (
    <Dialog
      title={t`Mark as paid`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{refused.length > 0 ? <Trans>Close</Trans> : <Trans>Cancel</Trans>}</Button>
          {refused.length === 0 && (
            <Button
              kind="primary"
              pending={pay.isPending}
              onClick={() => pay.mutate({ withdrawals: payouts.map(({ id, version }) => ({ id, version })) })}
            >
              <Trans>Mark as paid</Trans>
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        <Slip
          lines={payouts.map(({ reference, holder, amount }) => ({
            label: `${reference} · ${holder}`,
            value: <Money amount={{ minor: amount, currency }} />,
          }))}
          total={{ label: t`Sent by the bank`, value: <Money amount={{ minor: sum, currency }} /> }}
        />
        {refused.length > 0 && (
          <Notice kind="bad" title={t`These were not marked; the others were.`}>
            {refused.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Notice>
        )}
        {pay.error instanceof Failure && <Notice kind="bad">{pay.error.error}</Notice>}
      </div>
    </Dialog>
  )
}
