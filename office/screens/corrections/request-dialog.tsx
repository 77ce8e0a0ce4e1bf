/** The request of a correction: of which account, by how much, of which deposit, and why. */
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { listCorrections, listReturnableDeposits, requestCorrection } from '#contract/office/accounting.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { searchRecords } from '#contract/office/search.ts'
import type { Currency } from '#rules/money.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Money, moneyText } from '#ui/money/money.tsx'
import { dayText } from '#ui/text/time.tsx'
import { parseSignedAmount, formatSignedAmount } from '#ui/money/amount-format.ts'
import { fieldErrors } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { useStaff } from '../../session.ts'

interface RequestDialogProps {
  /** Initial values, if the request was started from another record. */
  begun: Readonly<Partial<Record<'account' | 'amount' | 'deposit', string | undefined>>>
  onClose: () => void
}

/** Account number, signed amount, returned deposit and reason. */
export function RequestDialog({ begun, onClose }: RequestDialogProps) {
  const { t, i18n } = useLingui()
  const [number, setNumber] = useState(begun.account ?? '')
  const [amount, setAmount] = useState(() => formatSignedAmount(begun.amount ?? '', i18n.locale))
  const [chosen, setChosen] = useState(begun.deposit ?? '')
  const [unknown, setUnknown] = useState(false)
  const [unreadable, setUnreadable] = useState(false)
  const example = formatSignedAmount('-25', i18n.locale)
  const { accounts, looking } = useAccountsOf(number.replace(/\s/g, ''))
  const [platform, setPlatform] = useState<string | null>(null)
  const [only, ...others] = accounts
  const account = (others.length === 0 ? only : accounts.find((one) => one.platform === platform)) ?? null
  const mutation = useEndpointMutation(requestCorrection, {
    refreshes: [listCorrections, listReturnableDeposits],
    onDone: () => {
      showToast(() => t`The correction needs approval from a second person.`)
      onClose()
    },
  })
  const errors = fieldErrors(mutation.error)
  const deposits = useEndpoint(listReturnableDeposits, { id: account?.id ?? '' }, { enabled: account !== null })
  return (
    <ReasonDialog
      fields={['accountId', 'amount', 'depositId']}
      title={<Trans>Request correction</Trans>}
      command={<Trans context="another person decides">Request</Trans>}
      pending={mutation.isPending || looking || deposits.isFetching}
      failure={mutation.error ?? deposits.error}
      onClose={onClose}
      onConfirm={(reason) => {
        const decimal = parseSignedAmount(amount, i18n.locale)
        setUnknown(account === null)
        setUnreadable(decimal === null)
        if (account && decimal !== null)
          mutation.mutate({
            accountId: account.id,
            amount: decimal,
            currency: account.currency,
            reason,
            ...(chosen !== '' && { depositId: chosen }),
          })
      }}
    >
      <TextField
        label={t`Account number`}
        inputMode="numeric"
        className="numbers"
        value={number}
        error={errors['accountId'] ?? (unknown && accounts.length === 0 ? t`This account does not exist.` : undefined)}
        onChange={(event) => {
          setNumber(event.target.value)
          // A deposit and a platform belong to one account.
          setChosen('')
          setPlatform(null)
        }}
      />
      {others.length > 0 && (
        <RadioCards
          label={t`Platform`}
          short
          across={2}
          value={account ? account.platform : null}
          error={
            unknown && !account ? t`Both platforms have an account with this number. Choose the platform.` : undefined
          }
          tiles={accounts.map((one) => ({ value: one.platform, label: one.platform, note: one.owner }))}
          onValue={(value) => {
            setPlatform(value)
            setChosen('')
          }}
        />
      )}
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
      {account && deposits.data && (deposits.data.deposits.length > 0 || chosen !== '') && (
        <ReturnedDepositField
          key={account.id}
          deposits={deposits.data.deposits}
          value={chosen}
          error={errors['depositId']}
          onValue={setChosen}
        />
      )}
    </ReasonDialog>
  )
}

interface ReturnedDepositProps {
  deposits: ResponseOf<typeof listReturnableDeposits>['deposits']
  value: string
  error: string | undefined
  onValue: (id: string) => void
}

/** The deposit that the correction returns to its payer, searched by its reference. */
function ReturnedDepositField({ deposits, value, error, onValue }: ReturnedDepositProps) {
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  const text = (minor: bigint, currency: Currency) => moneyText({ minor, currency }, i18n.locale)
  const items = deposits.map(({ id, reference, at, currency, received, left }) => {
    const [amount, rest] = [text(received, currency), text(left, currency)]
    const day = dayText(at, i18n.locale, undefined, firm.timeZone)
    return { id, label: reference, note: t`${day}, ${amount}, ${rest} left to return` }
  })
  const chosen = deposits.find(({ id }) => id === value)
  const isUnlisted = value !== '' && !chosen
  // So that it can be seen and removed.
  if (isUnlisted) items.push({ id: value, label: t`Not listed`, note: '' })
  const returned = chosen ? text(chosen.received - chosen.left, chosen.currency) : ''
  const hint =
    chosen && chosen.left < chosen.received
      ? t`Other corrections already return ${returned} of this deposit.`
      : t`Only if the debit returns a deposit to its payer. It is then shown as a returned payment.`
  return (
    <ComboBox
      label={t`Returned deposit`}
      hint={hint}
      optional
      items={items}
      value={value}
      error={
        error ??
        (isUnlisted ? t`This deposit cannot be returned from this account. Choose another one, or none.` : undefined)
      }
      onValue={onValue}
    />
  )
}

const shortestNumber = 4

/** Returns the accounts with this number, which both platforms may have; `looking` while the server is queried. */
function useAccountsOf(number: string) {
  const asked = /^\d+$/.test(number) && number.length >= shortestNumber
  const search = useEndpoint(searchRecords, { q: number }, { enabled: asked })
  const found = (search.data?.hits ?? []).filter((hit) => hit.kind === 'account' && hit.number === number)
  const [one, other] = [...new Set(found.flatMap(({ client }) => client?.id ?? []))]
  const reads = [
    useEndpoint(getOfficeClient, { id: one ?? '' }, { enabled: asked && one !== undefined }),
    useEndpoint(getOfficeClient, { id: other ?? '' }, { enabled: asked && other !== undefined }),
  ]
  const accounts = reads.flatMap(({ data }) =>
    (data?.client.accounts ?? [])
      .filter((account) => account.number === number)
      .map((account) => ({ ...account, owner: data?.client.client.name ?? '' })),
  )
  return { accounts, looking: search.isFetching || reads.some(({ isFetching }) => isFetching) }
}
