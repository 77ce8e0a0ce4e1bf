import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { listCountries } from '#contract/countries.ts'
import { getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import { getClientBank, getClientEvents, getClientMoney } from '#contract/office/client-tabs.ts'
import { payLastBalance } from '#contract/office/last-balance.ts'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { type ProofFile, ProofFileField } from '../../decision/proof-file-field.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { numberText } from './bank-tab.tsx'

const refreshes = [getOfficeClient, getClientBank, getClientEvents, getClientMoney]
const emptyValues = {
  amount: '',
  holder: '',
  bankName: '',
  bankAddress: '',
  bankCountry: '',
  bankAccountNumber: '',
  bankSortCode: '',
  bankIBAN: '',
  bankSwift: '',
}
type Values = typeof emptyValues

/** The value for a new bank account instead of an approved one. */
const newBank = 'new'

/**
 * Finance chooses or enters the destination of the last balance, with evidence; compliance approves the payout and its
 * bank account.
 */
export function LastBalanceDialog({ client, onClose }: { client: OfficeClient; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const live = client.accounts.filter(({ requestType, state }) => requestType === 'live' && state === 'approved')
  const [accountId, setAccountId] = useState(live[0]?.id ?? '')
  const [values, setValues] = useState(emptyValues)
  const [chosen, setChosen] = useState('')
  const [proof, setProof] = useState<ProofFile | null>(null)
  const [missing, setMissing] = useState({ proof: false, bank: false })
  const account = live.find(({ id }) => id === accountId)
  const { data: banks, isPending } = useEndpoint(getClientBank, { id: client.id })
  const approved = (banks?.rows ?? []).filter(
    ({ state, currency }) => state === 'approved' && currency === account?.currency,
  )
  // A bank account in another currency than the account chosen since is no longer valid.
  const bankId = chosen === newBank || approved.some(({ id }) => id === chosen) ? chosen : ''
  const isNew = !isPending && (approved.length === 0 || bankId === newBank)
  const write = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }))
  return (
    <ActionDialog
      endpoint={payLastBalance}
      input={(reason) => {
        setMissing({ proof: !proof, bank: !isNew && bankId === '' })
        if (!proof || (!isNew && bankId === '')) return null
        const payout = { id: client.id, accountId, amount: values.amount, proof, reason }
        return isNew ? { ...payout, ...values } : { ...payout, bankId }
      }}
      refreshes={refreshes}
      done={t`Entered. Compliance approves the payout and its bank account.`}
      title={<Trans>Enter payout of the last balance of {client.client.name}</Trans>}
      command={<Trans>Enter payout</Trans>}
      fields={['accountId', 'bankId', 'proof', ...Object.keys(emptyValues)]}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{t`The amount is reserved now. Compliance approves or rejects it together with the bank account.`}</p>
          <Select
            label={t`From account`}
            value={accountId}
            error={errors['accountId']}
            options={live.map(({ id, number, currency }) => ({
              value: id,
              label: `${groupedByFour(number ?? '')} · ${currency}`,
            }))}
            onChange={(event) => setAccountId(event.target.value)}
          />
          <AmountField
            size="line"
            label={t`Amount`}
            hint={account && balanceText(account, i18n.locale)}
            currency={account?.currency ?? 'EUR'}
            value={values.amount}
            error={errors['amount']}
            onValue={(amount) => write({ amount })}
          />
          {approved.length > 0 && (
            <Select
              label={t`Bank account`}
              placeholder={t`Choose a bank account`}
              required
              value={bankId}
              error={missing.bank ? t`Choose a bank account or enter new bank details.` : errors['bankId']}
              options={[
                ...approved.map(({ id, bankName, number }) => ({
                  value: id,
                  label: `${bankName} · ${numberText(number)}`,
                })),
                { value: newBank, label: t`Enter new bank details` },
              ]}
              onChange={(event) => {
                setChosen(event.target.value)
                setMissing((before) => ({ ...before, bank: false }))
              }}
            />
          )}
          {isNew && <BankFields values={values} errors={errors} write={write} />}
          <ProofFileField
            hint={t`PDF, JPEG or PNG, for example a bank statement.`}
            error={missing.proof ? t`Choose the evidence file.` : errors['proof']}
            onProof={(chosen) => {
              setProof(chosen)
              setMissing((before) => ({ ...before, proof: false }))
            }}
          />
        </>
      )}
    </ActionDialog>
  )
}

/** Returns the account's balance as loaded with the page; submitting the payout asks the platform again. */
function balanceText({ balance, reserved, currency }: OfficeClient['accounts'][number], locale: string) {
  if (balance.amount === null) return <Trans>The platform is not responding.</Trans>
  const [held, kept] = [balance.amount, reserved].map((minor) => moneyText({ minor, currency }, locale))
  return (
    <Trans>
      Balance {held}, of which {kept} is reserved
    </Trans>
  )
}

interface BankFieldsProps {
  values: Values
  errors: Readonly<Record<string, string>>
  write: (changed: Partial<Values>) => void
}

function BankFields({ values, errors, write }: BankFieldsProps) {
  const { t } = useLingui()
  const { data } = useEndpoint(listCountries, {}, { staleMs: Number.POSITIVE_INFINITY })
  const field = (name: keyof Values, label: string) => (
    <TextField
      label={label}
      value={values[name]}
      error={errors[name]}
      onChange={(event) => write({ [name]: event.target.value })}
    />
  )
  return (
    <>
      {field('holder', t`Account holder`)}
      {field('bankName', t`Bank`)}
      {field('bankAddress', t`Address of the bank`)}
      <ComboBox
        label={t`Country of the bank`}
        error={errors['bankCountry']}
        items={(data?.countries ?? []).map(({ code, name }) => ({ id: code, label: name }))}
        value={values.bankCountry}
        onValue={(bankCountry) =>
          write({ bankCountry, bankAccountNumber: '', bankSortCode: '', bankIBAN: '', bankSwift: '' })
        }
      />
      {values.bankCountry === 'GB' ? (
        <>
          {field('bankAccountNumber', t`Account number`)}
          {field('bankSortCode', t`Sort code`)}
        </>
      ) : (
        <>
          {field('bankIBAN', t`IBAN`)}
          {field('bankSwift', t`SWIFT/BIC`)}
        </>
      )}
    </>
  )
}
