import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { importStatement, listBankLines } from '#contract/office/bank-lines.ts'
import { previewStatement, type StatementColumns } from '#contract/office/statements.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { statementLinesMax } from '#rules/constants.ts'
import { parseSignedAmount, formatSignedAmount } from '#ui/money/amount-format.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { fieldErrors, ApiError } from '#ui/api/api-error.ts'
import { FieldError } from '#ui/forms/field.tsx'
import { focusFirstError, useErrorFocus } from '#ui/forms/form-state.ts'
import { FileInput } from '#ui/forms/file-input.tsx'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { readFileText } from '../../records/file-text.ts'
import { FormatHelp, ImportPreview } from './import-preview.tsx'

interface DialogProps {
  /** The firm's accounts with known transactions, to choose from. */
  accounts: readonly string[]
  onClose: () => void
}

/** Imports a bank statement as CSV: all of it or nothing; known transactions are counted, not repeated. */
export function ImportDialog({ accounts, onClose }: DialogProps) {
  const { t, i18n } = useLingui()
  const id = useId()
  const [bankAccount, setBankAccount] = useState(accounts.length === 1 ? (accounts[0] ?? '') : '')
  const [file, setFile] = useState<{ name: string; csv: string } | null>(null)
  const [columns, setColumns] = useState<StatementColumns>({})
  const [opening, setOpening] = useState('')
  const [closing, setClosing] = useState('')
  const [missing, setMissing] = useState<Record<string, string>>({})
  const send = useEndpointMutation(importStatement, { refreshes: [listBankLines] })
  const look = useEndpointMutation(previewStatement, {
    onDone: ({ account }) => account && setBankAccount((written) => (written.trim() === '' ? account.name : written)),
  })
  const fields = useErrorFocus<HTMLDivElement>(send.error ?? look.error)
  const errors = { ...fieldErrors(look.error), ...fieldErrors(send.error), ...missing }
  // A changed field no longer shows its error.
  const clearErrors = () => {
    setMissing({})
    if (send.error) send.reset()
  }
  const ofAccount = (written: string) => (written.trim() === '' ? {} : { bankAccount: written.trim() })
  const preview = (changed: { csv?: string; columns?: StatementColumns } = {}) => {
    const csv = changed.csv ?? file?.csv
    if (csv !== undefined) look.mutate({ ...ofAccount(bankAccount), csv, columns: changed.columns ?? columns })
  }
  const choose = async (chosen: File | undefined) => {
    clearErrors()
    look.reset()
    setColumns({})
    if (!chosen) return setFile(null)
    // Read immediately: a file corrected under the same name is a different one, and is chosen again.
    const csv = await readFileText(chosen)
    setFile({ name: chosen.name, csv })
    preview({ csv, columns: {} })
  }
  const submit = () => {
    const stated = {
      opening: parseSignedAmount(opening, i18n.locale),
      closing: parseSignedAmount(closing, i18n.locale),
    }
    const unreadable = t`Enter an amount with up to two decimals, for example ${formatSignedAmount('1200.5', i18n.locale)}.`
    const found = {
      ...(bankAccount.trim() === '' ? { bankAccount: t`Enter the account of the bank statement.` } : {}),
      ...(file ? {} : { csv: t`Choose a file.` }),
      ...(stated.opening === null ? { opening: unreadable } : {}),
      ...(stated.closing === null ? { closing: unreadable } : {}),
    }
    setMissing(found)
    if (!file || Object.keys(found).length > 0) return focusFirstError(fields.current)
    send.mutate({ ...ofAccount(bankAccount), filename: file.name, csv: file.csv, columns, ...withoutEmpty(stated) })
  }
  return (
    <Dialog
      title={t`Import bank statement`}
      size="wide"
      onClose={onClose}
      actions={
        send.data ? (
          <Button kind="primary" onClick={onClose}>{t`Close`}</Button>
        ) : (
          <>
            <Button onClick={onClose} keyHint="esc">{t`Cancel`}</Button>
            <Button kind="primary" pending={send.isPending} onClick={submit}>{t`Import`}</Button>
          </>
        )
      }
    >
      {send.data ? (
        <ImportResult answer={send.data} />
      ) : (
        <div ref={fields} className="stack">
          <TextField
            label={t`Our account`}
            hint={t`IBAN or account number. It is filled in automatically if the file contains it.`}
            list={`${id}-accounts`}
            value={bankAccount}
            error={errors['bankAccount']}
            onChange={(event) => {
              setBankAccount(event.target.value)
              clearErrors()
            }}
            onBlur={() => preview()}
          />
          <datalist id={`${id}-accounts`}>
            {accounts.map((account) => (
              <option key={account} value={account} />
            ))}
          </datalist>
          <div>
            <label className="import-drop">
              <span className="strong">{t`Bank statement as CSV`}</span>
              <FileInput
                accept=".csv,text/csv"
                aria-invalid={errors['csv'] ? true : undefined}
                onFile={(chosen) => void choose(chosen)}
              />
              <span className="muted size-13">
                <Trans>Up to {i18n.number(statementLinesMax)} transactions per file.</Trans>
              </span>
            </label>
            <FieldError>{errors['csv'] ?? errors['filename']}</FieldError>
            <FormatHelp />
          </div>
          {file && look.data && (
            <ImportPreview
              filename={file.name}
              preview={look.data}
              onColumns={(change) => {
                const next = { ...columns, ...change }
                setColumns(next)
                preview({ columns: next })
              }}
            />
          )}
          <p className="muted size-13">
            {t`Enter balances only if the file does not contain them. All receipts are then added up for the dual-approval threshold.`}
          </p>
          <div className="import-dates">
            <TextField
              label={t`Opening balance`}
              optional
              inputMode="decimal"
              value={opening}
              error={errors['opening']}
              onChange={(event) => {
                setOpening(event.target.value)
                clearErrors()
              }}
            />
            <TextField
              label={t`Closing balance`}
              optional
              inputMode="decimal"
              value={closing}
              error={errors['closing']}
              onChange={(event) => {
                setClosing(event.target.value)
                clearErrors()
              }}
            />
          </div>
          {send.error instanceof ApiError && Object.keys(errors).length === 0 && (
            <Alert kind="bad" title={send.error.error}>{t`The file has not been imported.`}</Alert>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** Returns the balances without empty ones. */
function withoutEmpty(stated: Readonly<Record<'opening' | 'closing', string | null>>) {
  const { opening, closing } = stated
  return { ...(opening ? { opening } : {}), ...(closing ? { closing } : {}) }
}

function ImportResult({ answer }: { answer: ResponseOf<typeof importStatement> }) {
  const { t } = useLingui()
  return (
    <div className="stack">
      <Alert
        {...(answer.imported > 0 ? { kind: 'ok' as const } : {})}
        title={
          <Plural value={answer.imported} one="# new transaction imported." other="# new transactions imported." />
        }
      />
      <DescriptionList
        rows={[
          { key: t`With a suggested deposit`, value: answer.suggested },
          { key: t`Already imported`, value: answer.known },
          { key: t`Outgoing`, value: answer.outgoing },
        ]}
      />
      {answer.differing > 0 && (
        <Alert
          kind="bad"
          title={
            <Plural
              value={answer.differing}
              one="# known transaction has a different amount."
              other="# known transactions have different amounts."
            />
          }
        >
          <Trans>Not posted. It stays under Reconciliation until finance resolves it.</Trans>
        </Alert>
      )}
    </div>
  )
}
