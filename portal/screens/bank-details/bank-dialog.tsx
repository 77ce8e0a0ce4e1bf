import { IconExternalLink } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type BankDetails as Bank, getBankDetails } from '#contract/bank-details.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { countryName, useCountries } from '../../portal-settings.ts'
import { BankFormDialog } from './bank-form-dialog.tsx'
import { type KeptBank, useBankRequest } from './bank-request.ts'
import { bankValuesOf, useBankForm } from './bank-values.ts'

/** One bank account: approved ones are read-only with an explanation, pending and rejected ones can be edited. */
interface BankDialogProps extends KeptBank {
  bank: Bank
  onClose: () => void
}

export function BankDialog({ bank, onClose, ...keptBank }: BankDialogProps) {
  return bank.status === 'approved' ? (
    <ApprovedBank bank={bank} onClose={onClose} />
  ) : (
    <PendingBank bank={bank} onClose={onClose} {...keptBank} />
  )
}

function ApprovedBank({ bank, onClose }: { bank: Bank; onClose: () => void }) {
  const { t } = useLingui()
  const countries = useCountries()
  const isBritish = bank.bankCountry === 'GB'
  return (
    <Dialog
      title={bank.bankName}
      onClose={onClose}
      actions={<Button kind="quiet" onClick={onClose}>{t`Close`}</Button>}
    >
      <div className="stack">
        <StatusBadge record="bank_details" state={bank.status} />
        <DescriptionList
          rows={[
            isBritish && { key: t`Account number`, value: groupedByFour(bank.bankAccountNumber ?? '') },
            isBritish && { key: t`Sort code`, value: sortCodeText(bank.bankSortCode ?? '') },
            !isBritish && { key: t`IBAN`, value: groupedByFour(bank.bankIBAN ?? '') },
            !isBritish && { key: t`SWIFT/BIC`, value: bank.bankSwift },
            { key: t`Currency`, value: bank.bankAccountCurrency },
            { key: t`Country`, value: countryName(countries, bank.bankCountry) },
            { key: t`Bank address`, value: bank.bankAddress },
            { key: t`Added`, value: <Time at={bank.timestamp} form="bank" /> },
            bank.bankPOAUrl !== null && { key: t`Bank statement`, value: <StatementLink url={bank.bankPOAUrl} /> },
          ]}
        />
        <p className="muted size-14">
          <Trans>To protect your money, approved bank details cannot be changed. Add a new bank account instead.</Trans>
        </p>
      </div>
    </Dialog>
  )
}

function StatementLink({ url }: { url: string }) {
  const { t } = useLingui()
  return (
    <a className="lone-link" href={url} target="_blank" rel="noreferrer">
      <Trans>View</Trans>
      <span className="unseen"> {t`Bank statement`}</span>
      <IconExternalLink className="small" aria-hidden="true" />
    </a>
  )
}

function PendingBank({ bank, onClose, ...keptBank }: BankDialogProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { kept, forget } = keptBank
  const form = useBankForm(kept?.draft.id === bank._id ? kept.draft.values : bankValuesOf(bank), bank.userId)
  const request = useBankRequest({
    ...keptBank,
    id: bank._id,
    userId: bank.userId,
    values: form.values,
    onDone: () => {
      showToast(() => t`Saved. We will review the bank account again.`)
      onClose()
    },
    onLost: form.refuse,
    onRefused: (failure) => {
      form.refuse(failure)
      // Decided in the meantime: reload to show the decision.
      if (failure.status === 409) void refreshEndpoints(queries, [getBankDetails])
    },
  })
  return (
    <BankFormDialog
      title={bank.bankName}
      submitLabel={<Trans>Save</Trans>}
      form={form}
      keptStatementUrl={bank.bankPOAUrl}
      mustHaveStatement={false}
      kept={kept}
      forget={forget}
      {...request}
      onClose={onClose}
    >
      <p className="row between">
        <StatusBadge record="bank_details" state={bank.status} />
        {bank.bankPOAUrl !== null && (
          <span className="size-14">
            <Trans>Bank statement</Trans> <StatementLink url={bank.bankPOAUrl} />
          </span>
        )}
      </p>
      {bank.status === 'rejected' && (
        <Alert
          kind="bad"
          title={bank.reason ? <UserText>{bank.reason}</UserText> : t`This bank account was not approved.`}
        >
          <Trans>Correct the details and save. We will review them again.</Trans>
        </Alert>
      )}
    </BankFormDialog>
  )
}
