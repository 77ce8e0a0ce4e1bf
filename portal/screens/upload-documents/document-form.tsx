import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { getDocuments, saveDocuments } from '#contract/documents.ts'
import { cardExpiryYearsAhead } from '#rules/constants.ts'
import { hasBack, isIdentityKind, type DocumentKind } from '#rules/documents.ts'
import { DatePartsField } from '#ui/forms/date-parts-field.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { fieldErrors } from '#ui/api/api-error.ts'
import { submitHandler, useFormValues, scrollIntoViewOnRender } from '#ui/forms/form-state.ts'
import { FileUpload } from '#ui/forms/file-upload.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { noticeMs, showToast } from '#ui/feedback/toasts.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { useFileUrl } from '#ui/api/upload.ts'
import { WizardFooter } from '#ui/layout/wizard.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { hasChanges, readDraft, storeDraft } from '../../draft.ts'
import type { Country } from '../../portal-settings.ts'
import { CountryBox } from '../profile/address-fields.tsx'
import { resubmissionReason, type DocumentRecord, useCacheDocument } from './client-documents.ts'
import { type DocumentValues, useDocumentErrors } from './document-errors.ts'
import { useDocumentLabels } from './document-labels.tsx'
import './document-form.css'

interface DocumentFormProps {
  clientId: string
  kind: DocumentKind
  /** The saved document; a rejected one opens with its reason at the top. */
  record: DocumentRecord | undefined
  countries: readonly Country[]
  /** The preselected country. */
  country: string
  bytesMax: number
  onSaved: () => void
  /** Called with whether there are unsaved changes. */
  onChanged?: ((kind: DocumentKind, changed: boolean) => void) | undefined
  onBack?: (() => void) | undefined
}

/** One document: its files, country, number and date. */
export function DocumentForm({
  clientId,
  kind,
  record,
  countries,
  country,
  bytesMax,
  onSaved,
  onChanged,
  onBack,
}: DocumentFormProps) {
  const { t } = useLingui()
  const words = useDocumentLabels()[kind]
  const keep = useCacheDocument(clientId)
  const twoSides = hasBack(kind)
  const identity = isIdentityKind(kind)
  const form = useFormValues(readDraft(draftKey(clientId, kind), valuesOf(record, country)))
  const { values, errors } = form
  const save = useEndpointMutation(saveDocuments, {
    refreshes: [getDocuments],
    onDone: ({ document }) => {
      keep(kind, document)
      form.set(valuesOf(document, country))
      onSaved()
    },
    onFailure: (failure) => {
      form.refuse(failure)
      if (failure.status === 0 || failure.status >= 500)
        showToast(() => t`Something went wrong!`, { kind: 'bad', ms: noticeMs })
    },
  })
  const unplaced = fieldErrors(save.error)['server']
  const [sending, setSending] = useUploadStates()
  const isChanged = sending || hasChanges(values, valuesOf(record, country))
  useEffect(
    () => storeDraft(draftKey(clientId, kind), valuesOf(record, country), values),
    [clientId, kind, record, country, values],
  )
  useEffect(() => onChanged?.(kind, isChanged), [onChanged, kind, isChanged])
  const faultsOf = useDocumentErrors(kind)
  const send = () => {
    if (form.sayErrors(() => faultsOf(values))) return
    save.mutate({
      documentType: kind,
      data: {
        country: values.country,
        documentNumber: values.documentNumber,
        expiryDay: Number(values.expiryDay),
        expiryMonth: Number(values.expiryMonth),
        expiryYear: Number(values.expiryYear),
        documentFront: values.documentFront,
        documentBack: twoSides ? values.documentBack : null,
      },
    })
  }
  return (
    <form ref={form.ref} className="document-form stack-6" noValidate onSubmit={submitHandler(send)}>
      <RejectionAlert record={record} />
      <div>
        <div className={twoSides ? 'document-slots two' : 'document-slots'}>
          <Slot
            label={words.front}
            kept={record?.documentFront ?? null}
            url={record?.documentFrontUrl ?? null}
            filename={values.documentFront}
            error={errors['documentFront'] ?? (values.documentFront ? undefined : record?.reasonFront)}
            bytesMax={bytesMax}
            onFilename={(documentFront) => form.set({ documentFront })}
            onSending={setSending.front}
          />
          {twoSides && (
            <Slot
              label={words.back}
              kept={record?.documentBack ?? null}
              url={record?.documentBackUrl ?? null}
              filename={values.documentBack}
              error={errors['documentBack'] ?? (values.documentBack ? undefined : record?.reasonBack)}
              bytesMax={bytesMax}
              onFilename={(documentBack) => form.set({ documentBack })}
              onSending={setSending.back}
            />
          )}
        </div>
        <p className="hint document-hint">
          <Trans>
            JPEG, PNG, WebP or PDF, up to {Math.floor(bytesMax / 1_048_576)}
            {'\u00a0'}MB. Show all four corners, cover nothing and avoid glare.
          </Trans>
          {!identity && !twoSides && (
            <>
              {' '}
              <Trans>Combine several pages into one PDF.</Trans>
            </>
          )}
        </p>
      </div>
      <div className="columns-2">
        <CountryBox
          label={identity ? t`Country of issue` : t`Country`}
          countries={countries}
          value={values.country}
          error={errors['country']}
          onValue={(code) => form.set({ country: code })}
        />
        <TextField
          {...form.text('documentNumber')}
          label={identity ? t`Document number` : t`Document number or reference`}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          className="numbers"
        />
      </div>
      <DatePartsField
        label={identity ? t`Expiry date` : t`Date of issue`}
        years={yearsOf(kind, record)}
        value={{ day: values.expiryDay, month: values.expiryMonth, year: values.expiryYear }}
        error={errors['expiryDay'] ?? errors['expiryMonth'] ?? errors['expiryYear']}
        onValue={({ day, month, year }) => form.set({ expiryDay: day, expiryMonth: month, expiryYear: year })}
      />
      {unplaced && (
        <div ref={scrollIntoViewOnRender}>
          <Alert kind="bad">{unplaced}</Alert>
        </div>
      )}
      <WizardFooter
        onBack={onBack}
        next={<Trans>SAVE</Trans>}
        pending={save.isPending}
        disabledReason={sending ? t`You can save when the upload is complete.` : undefined}
      />
    </form>
  )
}

/** Returns the saved document as values of the form. */
function valuesOf(record: DocumentRecord | undefined, country: string): DocumentValues {
  return {
    country: record?.country ?? country,
    documentNumber: record?.documentNumber ?? '',
    ...dateOf(record),
    documentFront: needsNewFile(record?.statusFront) ? '' : (record?.documentFront ?? ''),
    documentBack: needsNewFile(record?.statusBack) ? '' : (record?.documentBack ?? ''),
  }
}

/** Returns whether a slot takes a new file: its file was rejected or has expired. */
const needsNewFile = (status: string | null | undefined) => status === 'rejected' || status === 'expired'

/** Returns the saved date; a new document does not have that of an expired one. */
function dateOf(record: DocumentRecord | undefined) {
  if (!record || record.status === 'expired') return { expiryDay: '', expiryMonth: '', expiryYear: '' }
  return {
    expiryDay: String(record.expiryDay),
    expiryMonth: String(record.expiryMonth),
    expiryYear: String(record.expiryYear),
  }
}

/** Returns the years to choose from; they include that of the saved date even if it is past. */
function yearsOf(kind: DocumentKind, record: DocumentRecord | undefined): [first: number, last: number] {
  const thisYear = new Date().getFullYear()
  const kept = record?.expiryYear ?? thisYear
  if (isIdentityKind(kind)) return [Math.min(thisYear, kept), thisYear + cardExpiryYearsAhead]
  return [thisYear, Math.min(kept, thisYear - (kind === 'source_of_wealth' ? 20 : 1))]
}

/** Shows why the saved document is not sufficient, before it is sent again. */
function RejectionAlert({ record }: { record: DocumentRecord | undefined }) {
  const { t } = useLingui()
  if (record?.status === 'expired')
    return <Alert kind="bad" title={<Trans>This document has expired</Trans>}>{t`Upload a new document.`}</Alert>
  const reason = resubmissionReason(record)
  if (reason === null) return null
  const title = record?.status === 'rejected' ? t`Please upload this document again` : t`This document cannot be sent`
  return (
    <Alert kind="bad" title={title}>
      <UserText>{reason}</UserText>
    </Alert>
  )
}

interface SlotProps {
  label: string
  /** The file stored on the server, and its link. */
  kept: string | null
  url: string | null
  filename: string
  error: string | null | undefined
  bytesMax: number
  onFilename: (filename: string) => void
  onSending: (sending: boolean) => void
}

function Slot({ kept, url, filename, error, ...slot }: SlotProps) {
  const isPicture = kept !== null && kept === filename && !/\.pdf$/i.test(kept)
  const { address } = useFileUrl(isPicture ? url : null)
  return <FileUpload {...slot} filename={filename} error={error ?? undefined} shownUrl={address} />
}

/** Returns whether a file of either slot is being uploaded. */
function useUploadStates() {
  const [front, setFront] = useState(false)
  const [back, setBack] = useState(false)
  return [front || back, { front: setFront, back: setBack }] as const
}

function draftKey(clientId: string, kind: DocumentKind): string {
  return `portal.document.${clientId}.${kind}`
}
