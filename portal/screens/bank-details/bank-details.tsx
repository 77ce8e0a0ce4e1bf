import { IconBuildingBank, IconPlus } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import * as z from 'zod/mini'
import { type BankDetails as Bank, getBankDetails } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { currencies, type Currency } from '#rules/money.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState, ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import { Link } from '#ui/navigation/link.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { useStoredRequest } from '../../funding/stored-request.ts'
import { BankDialog } from './bank-dialog.tsx'
import { bankDraft, emptyBank, useBankForm } from './bank-values.ts'
import { useClient } from '../../session.ts'
import { BankFormDialog } from './bank-form-dialog.tsx'
import { type KeptBank, useBankRequest } from './bank-request.ts'
import { countryName, useCountries } from '../../portal-settings.ts'
import './bank-details.css'

/** The links to the statements expire within minutes, so they are renewed. */
const pollMs = 120_000

const addressSchema = z.object({
  record: z.optional(z.string()),
  add: z.optional(z.literal('bank')),
  currency: z.optional(z.enum(currencies)),
})

/** Approved and pending bank accounts, and the dialogs that show, edit and add one. */
export default function BankDetails() {
  const { t } = useLingui()
  const [{ record, add, currency }, setAddress] = useUrlState(addressSchema)
  const { data, error, refetch } = useEndpoint(getBankDetails, { a: 'all', b: 'all' }, { pollMs })
  const banks = data?.bankDetails
  const failed = error && !banks
  const keptBank = useStoredRequest('bank', bankDraft)
  // A request without a response is shown again, whatever the address says.
  const unanswered = keptBank.kept?.sent ? keptBank.kept.draft.id : undefined
  const [isClosed, setClosed] = useState(false)
  const openId = record ?? (isClosed ? undefined : (unanswered ?? undefined))
  const shown = banks?.find(({ _id }) => _id === openId)
  const isAdding = add === 'bank' || (unanswered === null && !isClosed && record === undefined)
  const close = () => {
    setClosed(true)
    setAddress({ record: undefined, add: undefined, currency: undefined })
  }
  return (
    <>
      <PageHeader
        title={t`Bank details`}
        action={
          <Button
            kind={failed ? 'outline' : 'primary'}
            icon={<IconPlus className="small" aria-hidden="true" />}
            onClick={() => setAddress({ add: 'bank' })}
          >
            <Trans>Add Bank</Trans>
          </Button>
        }
      >
        <Trans>Once we have approved a bank account in your name, we can send money to it quickly.</Trans>
      </PageHeader>
      {failed ? (
        <ErrorPanel failure={error} onRetry={() => void refetch()} />
      ) : !banks ? (
        <div className="bank-cards on-page" aria-busy="true">
          <Skeleton width="100%" height={188} />
        </div>
      ) : (
        <>
          <BankList
            title={t`Approved Bank Accounts`}
            banks={banks.filter(({ status }) => status === 'approved')}
            none={banks.length === 0 ? <NoBanks /> : <None>{t`No approved bank accounts yet.`}</None>}
          />
          <BankList
            title={t`Pending Bank Accounts`}
            banks={banks.filter(({ status }) => status !== 'approved')}
            none={<None>{t`No pending bank accounts.`}</None>}
          />
        </>
      )}
      {shown && <BankDialog key={shown._id} bank={shown} onClose={close} {...keptBank} />}
      {isAdding && <NewBankDialog currency={currency ?? ''} onClose={close} {...keptBank} />}
    </>
  )
}

function BankList({ title, banks, none }: { title: string; banks: readonly Bank[]; none: ReactNode }) {
  const id = useId()
  return (
    <section className="bank-list">
      <h2 id={id} className="title-3">
        {title}
      </h2>
      {banks.length === 0 ? (
        none
      ) : (
        <ul className="bank-cards" aria-labelledby={id}>
          {banks.map((bank) => (
            <li key={bank._id}>
              <BankCard bank={bank} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function None({ children }: { children: string }) {
  return <p className="muted size-14">{children}</p>
}

function NoBanks() {
  return (
    <div className="sheet">
      <EmptyState level="h3" icon={<IconBuildingBank aria-hidden="true" />} title={<Trans>No bank accounts yet</Trans>}>
        <Trans>
          Add the bank account for your withdrawals with a bank statement in your name. We verify it once. After that
          you can withdraw to it.
        </Trans>
      </EmptyState>
    </div>
  )
}

/** New Bank Details: each field is checked when it is left, and the statement is uploaded immediately. */
interface NewBankDialogProps extends KeptBank {
  currency: Currency | ''
  onClose: () => void
}

function NewBankDialog({ currency, onClose, ...keptBank }: NewBankDialogProps) {
  const { t } = useLingui()
  const client = useClient()
  const userId = client?.id ?? ''
  const { kept, forget } = keptBank
  const typed = kept?.draft.id === null ? kept.draft.values : null
  const form = useBankForm(
    typed ?? { ...emptyBank, bankCountry: client?.country ?? '', bankAccountCurrency: currency },
    userId,
  )
  const request = useBankRequest({
    ...keptBank,
    id: null,
    userId,
    values: form.values,
    onDone: () => {
      showToast(() => t`We have received your bank details and are reviewing them.`)
      onClose()
    },
    onLost: form.refuse,
    onRefused: form.refuse,
  })
  return (
    <BankFormDialog
      title={t`New Bank Details`}
      submitLabel={<Trans>Submit</Trans>}
      form={form}
      keptStatementUrl={null}
      mustHaveStatement
      kept={kept}
      forget={forget}
      {...request}
      onClose={onClose}
    />
  )
}

/** One bank account: GB by account number and sort code, others by IBAN and SWIFT/BIC (requirements 12.1). */
function BankCard({ bank }: { bank: Bank }) {
  const countries = useCountries()
  return (
    <Link className={`bank-card ${bank.status}`} href={portalPaths.bankRecord(bank._id)} replace>
      <span className="row between">
        <b className="strong">{bank.bankName}</b>
        <StatusBadge record="bank_details" state={bank.status} />
      </span>
      <BankNumbers bank={bank} />
      <span className="bank-card-foot">
        <span>
          {bank.bankAccountCurrency} · {countryName(countries, bank.bankCountry)}
        </span>
        <span>
          <Trans>
            Added <Time at={bank.timestamp} form="bank" />
          </Trans>
        </span>
      </span>
      {bank.status === 'pending' && (
        <span className="bank-card-words">
          <Trans>We are checking the name on your bank statement. You can still change the details.</Trans>
        </span>
      )}
      {bank.status === 'rejected' && (
        <span className="bank-card-words tone-bad">
          {bank.reason ? <UserText>{bank.reason}</UserText> : <Trans>This bank account was not approved.</Trans>}{' '}
          <Trans>Open it to correct the details.</Trans>
        </span>
      )}
    </Link>
  )
}

function BankNumbers({ bank }: { bank: Bank }) {
  const { t } = useLingui()
  const isBritish = bank.bankCountry === 'GB'
  const rows = isBritish
    ? [
        { label: t`Sort code`, text: sortCodeText(bank.bankSortCode ?? '') },
        { label: t`Account`, text: groupedByFour(bank.bankAccountNumber ?? ''), last: true },
      ]
    : [
        { label: t`IBAN`, text: groupedByFour(bank.bankIBAN ?? ''), last: true },
        { label: t`SWIFT/BIC`, text: bank.bankSwift ?? '' },
      ]
  return (
    <span className="bank-numbers numbers">
      {rows.map(({ label, text, last }) => (
        <span key={label}>
          <span className="bank-number-label">{label}</span>
          {last ? <LastGroupsLarge text={text} /> : text}
        </span>
      ))}
    </span>
  )
}

/** Clients recognise an account by its last characters: whole groups are large, none is split. */
function LastGroupsLarge({ text }: { text: string }) {
  const groups = text.split('\u00a0')
  const last = groups.at(-1) ?? ''
  const large = last.length < 4 && groups.length > 1 ? 2 : 1
  const before = groups.slice(0, -large).join('\u00a0')
  return (
    <span>
      {before}
      {before !== '' && '\u00a0'}
      <b className="bank-last">{groups.slice(-large).join('\u00a0')}</b>
    </span>
  )
}
