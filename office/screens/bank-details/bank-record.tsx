import { Trans, useLingui } from '@lingui/react/macro'
import {
  approveBankDetails,
  getOfficeBankDetails,
  rejectBankDetails,
  type OfficeBankDetails,
  enterHolder,
} from '#contract/office/bank-details.ts'
import { officePaths } from '#contract/office-paths.ts'
import { call } from '#ui/api/call.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import { type DescriptionRow, DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { ClientFacts, recordScreen } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { countryName } from '../../decision/country-name.ts'
import {
  useDecision,
  type Acknowledging,
  useAcknowledged,
  useChecksNotYet,
  approval,
  rejection,
} from '../../decision/decision.tsx'
import { useMaskedReason } from '../../decision/masked-file.ts'
import { ImageViewer } from '../../decision/image-viewer.tsx'
import { OtherClients } from '../../decision/other-clients.tsx'
import { RecordPage } from '../../decision/record-page.tsx'
import { useCanRead } from '../../session.ts'
import { useState, useRef } from 'react'
import { getDecisionChecks, type DecisionCheck } from '#contract/office/checks.ts'
import './bank-details.css'
import { Button } from '#ui/forms/button.tsx'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { fieldErrors } from '#ui/api/api-error.ts'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'

/** One bank account beside its bank statement. */
export default recordScreen(getOfficeBankDetails, ({ bankDetails }) => <Page bank={bankDetails} />)

function Page({ bank }: { bank: OfficeBankDetails }) {
  const { t } = useLingui()
  const deciding = useDecision('bank_details', officePaths.bankDetails)
  const entered = useHolderChecks(bank)
  const { checks, holder, acknowledging } = entered
  const decisions = useDecisions(bank, entered)
  const maySee = useCanRead('pictures')
  const hiddenReason = useMaskedReason()
  const { client } = bank
  return (
    <RecordPage
      kind="bank_details"
      record={{ ...bank, decisionChecks: checks }}
      holder={holder}
      section={t({ message: 'Bank details', context: 'type of record' })}
      title={`${bank.bankName} · ${bank.currency}`}
      deciding={deciding}
      {...(bank.state === 'pending' ? { acknowledging } : {})}
      decisions={decisions}
      sentence={
        <Trans>
          <b>Approve</b> to allow withdrawals in {bank.currency} to this account. {client.name} will be notified.
        </Trans>
      }
    >
      <div className="bank-split">
        {bank.statement && maySee ? (
          <ImageViewer
            sides={[
              {
                fileId: bank.statement.fileId,
                filename: bank.statement.filename,
                pages: bank.statement.pages,
                name: t`Bank statement`,
                hiddenReason: hiddenReason(bank.statement.state),
              },
            ]}
          />
        ) : (
          <Alert>{bank.statement ? t`You do not have access to the statement.` : t`No statement was uploaded.`}</Alert>
        )}
        <div className="bank-facts">
          <RecordSection title={<Trans>Entered by the client</Trans>}>
            <DescriptionList rows={useRows(bank)} />
          </RecordSection>
          <HolderOnStatement key={bank.state} bank={bank} onHolder={entered.setHolder} />
          <ClientFacts client={client} />
          {bank.elsewhere.count > 0 && (
            <RecordSection title={<Trans>Same number used by</Trans>}>
              <OtherClients others={bank.elsewhere} />
            </RecordSection>
          )}
        </div>
      </div>
    </RecordPage>
  )
}

/** Returns every field, with its value before the last change. */
function useRows(bank: OfficeBankDetails): (DescriptionRow | false)[] {
  const { t, i18n } = useLingui()
  const shown: Readonly<Record<string, (value: string) => string>> = {
    accountNumber: groupedByFour,
    iban: groupedByFour,
    sortCode: sortCodeText,
    bankCountry: (code) => countryName(code, i18n.locale),
  }
  const row = (field: keyof OfficeBankDetails & string, key: string): DescriptionRow | false => {
    const value = bank[field]
    if (typeof value !== 'string' || value === '') return false
    const show = shown[field] ?? ((text: string) => text)
    const before = bank.previous?.[field]
    const changed = typeof before === 'string' && before !== value ? { before: show(before) } : {}
    return { key, value: <span className="numbers">{show(value)}</span>, ...changed }
  }
  return [
    row('bankName', t`Bank`),
    row('bankAddress', t`Address`),
    row('bankCountry', t`Country`),
    row('currency', t`Currency`),
    row('iban', t`IBAN`),
    row('swift', t`SWIFT/BIC`),
    row('accountNumber', t`Account number`),
    row('sortCode', t`Sort code`),
    { key: t`Added`, value: <Time at={bank.createdAt} /> },
    bank.statement !== null && { key: t`Statement uploaded`, value: <Time at={bank.statement.uploadedAt} /> },
    { key: t`Used for payouts`, value: bank.usedForPayouts === 0 ? t`Never` : bank.usedForPayouts },
  ]
}

function useDecisions(
  { id, version, client, bankName, currency, iban, accountNumber }: OfficeBankDetails,
  { holder, of, acknowledging: { names: acknowledged } }: HolderChecks,
) {
  const { t } = useLingui()
  return [
    rejection('bank_details', t`Reject the bank details of ${client.name}`, (texts) =>
      call(rejectBankDetails, { id, version, ...texts }),
    ),
    approval({
      label: <Trans>Approve</Trans>,
      title: t`Approve bank details`,
      lines: [
        { label: t`Client`, value: client.name },
        { label: t`Account holder`, value: holder ?? '–' },
        { label: t`Bank`, value: `${bankName} · ${currency}` },
        { label: t`Bank account`, value: groupedByFour(iban ?? accountNumber ?? '–') },
      ],
      ...of,
      send: (note) => call(approveBankDetails, { id, version, note, acknowledged, holder: holder ?? '' }),
    }),
  ]
}

interface HolderChecks {
  /** The account holder that the approval sends; undefined until one is entered. */
  readonly holder: string | undefined
  readonly setHolder: (holder: string) => void
  readonly checks: DecisionCheck[]
  readonly acknowledging: Acknowledging
  /** Properties for the decision to approve. */
  readonly of: Acknowledging['of']
}

/** Returns the checks of bank details with the account holder as being entered, which the approval checks again. */
function useHolderChecks({ id, state, decisionChecks, statementHolder }: OfficeBankDetails): HolderChecks {
  const [entered, setHolder] = useState('')
  const holder = entered || (statementHolder ?? undefined)
  const isAsked = state === 'pending' && entered !== ''
  const { data, error } = useEndpoint(getDecisionChecks, { kind: 'bank_details', id, holder }, { enabled: isAsked })
  const checks = isAsked ? (data?.checks ?? []) : decisionChecks
  const isRead = !isAsked || data !== undefined
  const acknowledging = useAcknowledged(checks, isRead ? (holder ?? '') : '')
  const notYet = useChecksNotYet(isRead ? checks : undefined, error)
  const of = { ...acknowledging.of, ...(notYet === undefined ? {} : { notYet }) }
  return { holder, setHolder, checks, acknowledging, of }
}

/** The account holder as read on the statement: part of the approval, or entered later if missing. */
function HolderOnStatement({ bank, onHolder }: { bank: OfficeBankDetails; onHolder: (holder: string) => void }) {
  const { t } = useLingui()
  const { state, statementHolder, mayEnterHolder } = bank
  if (!mayEnterHolder)
    return (
      <RecordSection title={<Trans>Account holder on the statement</Trans>}>
        {statementHolder ?? <span className="muted">{t`Not entered yet`}</span>}
      </RecordSection>
    )
  return state === 'pending' ? (
    <ComparedHolder kept={statementHolder} onHolder={onHolder} />
  ) : (
    <SavedHolder bank={bank} />
  )
}

/** The approval sends the name; leaving the field, or Enter, checks it first. An empty field keeps the stored name. */
function ComparedHolder({ kept, onHolder }: { kept: string | null; onHolder: (holder: string) => void }) {
  const { t } = useLingui()
  const [name, setName] = useState(kept ?? '')
  const compare = () => onHolder(name.trim())
  return (
    <form noValidate onSubmit={submitHandler(compare)}>
      <HolderField
        hint={t`Enter the name exactly as it appears on the bank statement. It is saved with your approval.`}
        name={name}
        onName={setName}
        onLeave={compare}
      />
    </form>
  )
}

interface HolderFieldProps {
  hint: string
  name: string
  error?: string | undefined
  onName: (name: string) => void
  onLeave?: () => void
}

function HolderField({ hint, name, error, onName, onLeave }: HolderFieldProps) {
  const { t } = useLingui()
  return (
    <TextField
      label={t`Account holder on the statement`}
      hint={hint}
      value={name}
      maxLength={140}
      error={error}
      onChange={(event) => onName(event.target.value)}
      onBlur={onLeave}
    />
  )
}

function SavedHolder({ bank: { id, version } }: { bank: OfficeBankDetails }) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const entering = useEndpointMutation(enterHolder, {
    refreshes: [getOfficeBankDetails, getDecisionChecks],
    onDone: () => showToast(() => t`The account holder has been saved.`),
  })
  const errors = fieldErrors(entering.error)
  const form = useRef<HTMLFormElement>(null)
  const send = () => {
    if (entering.isPending) return
    setMissing(name.trim() === '')
    if (name.trim() === '') focusFirstError(form.current)
    else entering.mutate({ id, version, holder: name.trim() })
  }
  return (
    <form ref={form} noValidate className="stack-2" onSubmit={submitHandler(send)}>
      <HolderField
        hint={t`Enter the name exactly as it appears on the bank statement.`}
        name={name}
        error={isMissing ? t`Enter the account holder’s name.` : errors['holder']}
        onName={(written) => {
          setName(written)
          setMissing(false)
        }}
      />
      {entering.error && !errors['holder'] && (
        <Alert kind="bad">
          <ApiErrorText failure={entering.error} />
        </Alert>
      )}
      <div className="row">
        <Button type="submit" pending={entering.isPending}>{t`Save name`}</Button>
      </div>
    </form>
  )
}
