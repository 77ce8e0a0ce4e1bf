import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { confirmBankBalance, getRecovery, typeBankBalance } from '#contract/office/recovery.ts'
import { parseSignedAmount } from '#ui/money/amount-format.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { fieldErrors } from '#ui/api/api-error.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Money } from '#ui/money/money.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Table } from '#ui/data/table.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { useCanDo, useStaff } from '../../session.ts'
import '../../decision/decision.css'

type BankAccount = NonNullable<ResponseOf<typeof getRecovery>['recovery']>['bankAccounts'][number]

/** Each account of the firm, with the last day that its statements cover since the loss. */
export function BankAccounts({ accounts }: { accounts: readonly BankAccount[] }) {
  const { t, i18n } = useLingui()
  const [typing, setTyping] = useState<BankAccount | null>(null)
  const confirms = useCanDo('confirmBank')
  return (
    <section className="stack">
      <div className="row between wrap">
        <h2>{t`Bank accounts`}</h2>
        <Link href={officePaths.imports}>{t`Bank statements`}</Link>
      </div>
      <div className="sheet">
        <Table
          caption={t`Bank accounts`}
          rows={accounts}
          rowKey={(row) => row.account}
          instead={
            accounts.length === 0 ? (
              <EmptyState title={<Trans>No bank accounts</Trans>}>
                <Trans>Administrators enter client money accounts in the settings.</Trans>
              </EmptyState>
            ) : undefined
          }
          columns={[
            {
              head: t`Account`,
              phone: 'title',
              cell: (row) => (
                <>
                  <span className="numbers">{groupedByFour(row.account)}</span>
                  <small className="muted read-on-phone">
                    <Trans>Required up to {calendarDayText(row.neededTo, i18n.locale)}</Trans>
                  </small>
                </>
              ),
            },
            { head: t`Currency`, cell: (row) => row.currency },
            {
              head: t`Covered up to`,
              cell: (row) => (row.coveredTo === null ? t`No statement` : calendarDayText(row.coveredTo, i18n.locale)),
            },
            { head: t`Required up to`, cell: (row) => calendarDayText(row.neededTo, i18n.locale) },
            {
              head: t`Entered balance`,
              phone: 'time',
              cell: (row) => <EnteredBalance account={row} confirms={confirms} onType={() => setTyping(row)} />,
            },
            {
              head: t`Status`,
              phone: 'status',
              cell: ({ complete, coveredTo, neededTo }) =>
                complete
                  ? t`Covered`
                  : coveredTo !== null && coveredTo >= neededTo
                    ? t`Balance not confirmed`
                    : t`Statements missing`,
            },
          ]}
        />
      </div>
      {typing && <EnterBalanceDialog account={typing} onClose={() => setTyping(null)} />}
    </section>
  )
}

interface EnteredBalanceProps {
  account: BankAccount
  confirms: boolean
  onType: () => void
}

function EnteredBalance({ account: { account, typed, currency, complete }, confirms, onType }: EnteredBalanceProps) {
  const { t, i18n } = useLingui()
  const { id } = useStaff().staff
  const mutation = useEndpointMutation(confirmBankBalance, {
    refreshes: [getRecovery],
    onDone: () => showToast(() => t`The balance has been confirmed.`),
    onFailure: (failure) => showToast(() => failure.error, { kind: 'bad' }),
  })
  if (!typed) return confirms && !complete ? <Button onClick={onType}>{t`Enter balance…`}</Button> : '–'
  return (
    <div className="stack">
      <span>
        <Money amount={{ minor: typed.closing, currency }} />, {calendarDayText(typed.on, i18n.locale)}, {typed.by.name}
        {typed.confirmedBy && `, ${typed.confirmedBy.name}`}
      </span>
      {confirms && !typed.confirmedBy && typed.by.id !== id && (
        <Button
          pending={mutation.isPending}
          onClick={() => mutation.mutate({ account, closing: typed.closing, on: typed.on })}
        >{t`Confirm balance`}</Button>
      )}
    </div>
  )
}

interface EnterBalanceDialogProps {
  account: BankAccount
  onClose: () => void
}

function EnterBalanceDialog({ account: { account, currency, neededTo }, onClose }: EnterBalanceDialogProps) {
  const { t, i18n } = useLingui()
  const [amount, setAmount] = useState('')
  const [on, setOn] = useState(neededTo)
  const [unreadable, setUnreadable] = useState(false)
  const mutation = useEndpointMutation(typeBankBalance, {
    refreshes: [getRecovery],
    onDone: () => {
      showToast(() => t`The balance has been recorded. Another person must confirm it.`)
      onClose()
    },
  })
  const errors = fieldErrors(mutation.error)
  return (
    <ReasonDialog
      title={<Trans>Enter the closing balance of {groupedByFour(account)}</Trans>}
      command={<Trans>Enter balance</Trans>}
      reason="none"
      fields={['closing', 'on', 'account']}
      pending={mutation.isPending}
      failure={mutation.error}
      onClose={onClose}
      onConfirm={() => {
        const closing = parseSignedAmount(amount, i18n.locale)
        setUnreadable(closing === null)
        if (closing !== null) mutation.mutate({ account, closing, currency, on })
      }}
    >
      <p>
        {t`Only for an account without movements since the data loss, or with statements whose balances were entered manually. Another person must confirm the balance.`}
      </p>
      <TextField
        label={t`Closing balance`}
        end={currency}
        value={amount}
        error={unreadable ? t`Enter an amount with up to two decimals.` : (errors['closing'] ?? errors['account'])}
        onChange={(event) => setAmount(event.target.value)}
      />
      <TextField
        label={t`Closing date`}
        type="date"
        value={on}
        error={errors['on']}
        onChange={(event) => setOn(event.target.value)}
      />
    </ReasonDialog>
  )
}
