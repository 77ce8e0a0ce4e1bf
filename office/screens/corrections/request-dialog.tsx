import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { requestCorrection, listCorrections } from '#contract/office/accounting.ts'
import { getOfficeClient, searchClients } from '#contract/office/clients.ts'
import { parseSignedAmount, formatSignedAmount } from '#ui/money/amount-format.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { fieldErrors } from '#ui/api/api-error.ts'
import { Money } from '#ui/money/money.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'

interface RequestDialogProps {
  /** Initial values, if the request was started from another record. */
  begun: { account?: string | undefined; amount?: string | undefined }
  onClose: () => void
}

/** Account number, signed amount and reason. */
export function RequestDialog({ begun, onClose }: RequestDialogProps) {
  const { t, i18n } = useLingui()
  const [number, setNumber] = useState(begun.account ?? '')
  const [amount, setAmount] = useState(() => formatSignedAmount(begun.amount ?? '', i18n.locale))
  const [unknown, setUnknown] = useState(false)
  const [unreadable, setUnreadable] = useState(false)
  const example = formatSignedAmount('-25', i18n.locale)
  const { account, looking } = useAccountOf(number.replace(/\s/g, ''))
  const mutation = useEndpointMutation(requestCorrection, {
    refreshes: [listCorrections],
    onDone: () => {
      showToast(t`The correction needs approval from a second person.`)
      onClose()
    },
  })
  const errors = fieldErrors(mutation.error)
  return (
    <ReasonDialog
      fields={['accountId', 'amount']}
      title={<Trans>Request correction</Trans>}
      command={<Trans context="another person decides">Request</Trans>}
      pending={mutation.isPending || looking}
      failure={mutation.error}
      onClose={onClose}
      onConfirm={(reason) => {
        const decimal = parseSignedAmount(amount, i18n.locale)
        setUnknown(account === null)
        setUnreadable(decimal === null)
        if (account && decimal !== null)
          mutation.mutate({ accountId: account.id, amount: decimal, currency: account.currency, reason })
      }}
    >
      <TextField
        label={t`Account number`}
        inputMode="numeric"
        className="numbers"
        value={number}
        error={errors['accountId'] ?? (unknown && !account ? t`This account does not exist.` : undefined)}
        onChange={(event) => setNumber(event.target.value)}
      />
      {account && (
        <p className="muted">
          {account.owner} · {account.platform} · {account.type} ·{' '}
          {account.balance.amount !== null && (
            <Money amount={{ minor: account.balance.amount, currency: account.currency }} />
          )}
        </p>
      )}
      <TextField
        label={t`Amount`}
        hint={t`Use a minus sign to debit, for example ${example}`}
        end={account?.currency}
        value={amount}
        error={unreadable ? t`Enter an amount with up to two decimals, for example ${example}.` : errors['amount']}
        onChange={(event) => {
          setAmount(event.target.value)
          setUnreadable(false)
        }}
      />
    </ReasonDialog>
  )
}

const shortestNumber = 4

/** Returns the account with this number, or null; `looking` while the server is queried. */
function useAccountOf(number: string) {
  const asked = /^\d+$/.test(number) && number.length >= shortestNumber
  const clients = useEndpoint(searchClients, { q: number, size: 5 }, { enabled: asked })
  const owner = clients.data?.rows[0]?.client
  const read = useEndpoint(getOfficeClient, { id: owner?.id ?? '' }, { enabled: asked && owner !== undefined })
  const account = read.data?.client.accounts.find((one) => one.number === number)
  const known = asked && account && owner ? { ...account, owner: owner.name } : null
  return { account: known, looking: known === null && (clients.isFetching || read.isFetching) }
}
