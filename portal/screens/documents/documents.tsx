import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { processingHoursMax } from '#rules/constants.ts'
import { type DocumentKind, documentKinds, checkSend, groupOf, isLocked, isSatisfied } from '#rules/documents.ts'
import { Button } from '#ui/forms/button.tsx'
import { Accordion } from '#ui/data/disclosure.tsx'
import { failedRead } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, SentenceSkeleton, Skeleton } from '#ui/feedback/content-states.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { noticeMs, showToast } from '#ui/feedback/toasts.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { type Country, type PortalSettings, useCountriesQuery, usePortalSettingsQuery } from '../../portal-settings.ts'
import { type Client, useClient } from '../../session.ts'
import {
  resubmissionReason,
  type ClientDocuments,
  isComplete,
  documentStates,
  useClientDocuments,
} from '../upload-documents/client-documents.ts'
import { DocumentForm } from '../upload-documents/document-form.tsx'
import { useDocumentLabels } from '../upload-documents/document-labels.tsx'
import { LoadingRequirements, Requirements } from '../upload-documents/requirements.tsx'
import { CountryNotAccepted, NotAccepted } from '../upload-documents/not-accepted.tsx'
import { useSendDocuments, useSendError } from '../upload-documents/send-documents.ts'
import './documents.css'
import { ReadOnlyDocument } from './shown-document.tsx'

/** Each document in its own section; /document/{documentType} opens that one. */
export default function DocumentsPage({ params }: ScreenProps) {
  const { t } = useLingui()
  const client = useClient()
  const settingsRead = usePortalSettingsQuery()
  const countriesRead = useCountriesQuery()
  const documents = useClientDocuments(client?.id ?? '')
  const failed = failedRead(documents, settingsRead, countriesRead)
  const settings = settingsRead.data
  const countries = countriesRead.data?.countries
  return (
    <>
      <PageHeader title={t`Documents`}>
        {!documents.data
          ? !failed && <SentenceSkeleton />
          : isComplete(documents.data)
            ? t`Your identity and address are verified. You do not need to upload anything.`
            : t`Upload valid documents to verify your identity and address.`}
      </PageHeader>
      {failed ? (
        <ErrorPanel failure={failed.failure} onRetry={failed.again} />
      ) : client?.status === 'rejected' && settings ? (
        <NotAccepted email={client.email} supportEmail={settings.firm.supportEmail} />
      ) : client && settings && countries && documents.data ? (
        <Sections
          client={client}
          settings={settings}
          countries={countries}
          data={documents.data}
          asked={params['documentType'] ?? null}
        />
      ) : (
        <LoadingSections />
      )}
    </>
  )
}

/** The sections of most countries: three kinds of identity documents and a proof of address. */
const usualSections = ['drivers_licence', 'passport', 'id', 'proofOfAddress']

/** Placeholder of the sections and of the requirements while they load. */
function LoadingSections() {
  return (
    <div className="with-slip">
      <div className="stack-6">
        <div className="accordion">
          {usualSections.map((key) => (
            <div key={key} className="disclosure document-loading">
              <Skeleton width={160} height={20} />
            </div>
          ))}
        </div>
      </div>
      <LoadingRequirements />
    </div>
  )
}

interface SectionsProps {
  client: Client
  settings: PortalSettings
  countries: readonly Country[]
  data: ClientDocuments
  /** The document type of the address. */
  asked: string | null
}

function Sections({ client, settings, countries, data, asked }: SectionsProps) {
  const { t } = useLingui()
  const words = useDocumentLabels()
  const [changed, onChanged] = useChangedForms()
  const accepts = countries.find(({ code }) => code === client.country)?.accepts ?? []
  const kinds = visibleKinds(accepts, data)
  // A document that must be sent again is open with its reason.
  const refused = kinds.find(
    (kind) => data.documents[kind]?.status === 'expired' || resubmissionReason(data.documents[kind]) !== null,
  )
  const sections = kinds.map((kind) => {
    const record = data.documents[kind]
    return {
      key: kind,
      title: sectionTitle(kind, words),
      end: record ? <StatusBadge record="document" state={record.status} /> : null,
      children:
        record && isLocked(record.status) ? (
          <ReadOnlyDocument kind={kind} record={record} countries={countries} />
        ) : (
          <div className="stack">
            <p className="muted">{words[kind].note}.</p>
            <DocumentForm
              key={record?.status ?? 'none'}
              clientId={client.id}
              kind={kind}
              record={record}
              countries={countries}
              country={client.country}
              bytesMax={settings.limits.uploadBytesMax}
              onSaved={() => showToast(() => t`Saved.`)}
              onChanged={onChanged}
            />
          </div>
        ),
    }
  })
  const isTaken = accepts.length > 0
  return (
    <div className="with-slip">
      <div className="stack-6">
        {!isTaken && <CountryNotAccepted supportEmail={settings.firm.supportEmail} />}
        <Accordion sections={sections} initial={sectionFor(asked, kinds) ?? refused ?? null} />
        <SendForApproval data={data} changed={changed} />
      </div>
      {isTaken && <Requirements data={data} accepts={accepts} />}
    </div>
  )
}

/** Returns the name of a section: that of the address stays once a kind has been uploaded, which it names too. */
function sectionTitle(kind: DocumentKind, words: ReturnType<typeof useDocumentLabels>): string {
  const { name } = words[kind]
  const group = words.proofOfAddress.name
  return groupOf(kind) === 'proof_of_address' && name !== group ? `${group}: ${name}` : name
}

/** Returns the kinds whose form has unsaved changes. */
function useChangedForms() {
  const [changed, setChanged] = useState<readonly DocumentKind[]>([])
  const onChanged = useCallback(
    (kind: DocumentKind, isChanged: boolean) =>
      setChanged((before) => {
        if (before.includes(kind) === isChanged) return before
        return isChanged ? [...before, kind] : before.filter((one) => one !== kind)
      }),
    [],
  )
  return [changed, onChanged] as const
}

/**
 * Returns the section for an address: that of its kind, or one of the same group if the kind has none. The address may
 * name the group itself (requirements 6.1).
 */
function sectionFor(asked: string | null, shown: readonly DocumentKind[]): DocumentKind | null {
  const kind = documentKinds.find((one) => one === asked)
  const group = kind ? groupOf(kind) : asked
  return shown.find((one) => one === kind) ?? shown.find((one) => groupOf(one) === group) ?? null
}

/**
 * Returns the kinds that the client's level accepts, those already uploaded, and a source of wealth once it was
 * requested.
 */
function visibleKinds(accepts: readonly DocumentKind[], data: ClientDocuments): DocumentKind[] {
  const order: DocumentKind[] = [
    'drivers_licence',
    'passport',
    'id',
    'proofOfAddress',
    'bank_statement',
    'utility_bill',
    'government_letter',
    'source_of_wealth',
  ]
  return order.filter((kind) => {
    if (data.documents[kind]) return true
    if (kind === 'source_of_wealth') return data.sourceOfWealthAsked
    if (kind === 'proofOfAddress')
      return (
        accepts.length > 0 &&
        !(['bank_statement', 'utility_bill', 'government_letter'] as const).some((one) => data.documents[one])
      )
    return (['drivers_licence', 'passport', 'id'] as const).some((one) => one === kind) && accepts.includes(kind)
  })
}

/**
 * Shown only with an identity document and a proof of address if something is not sent yet. The reason that prevents
 * sending is shown below.
 */
function SendForApproval({ data, changed }: { data: ClientDocuments; changed: readonly DocumentKind[] }) {
  const { t } = useLingui()
  const sendErrorText = useSendError()
  const hindrance = useSubmitBlockReason(data, changed)
  const documents = documentStates(data.documents)
  const send = useSendDocuments({
    onDone: () => showToast(() => t`Sent. We will review your documents within ${processingHoursMax} hours.`),
    onFailure: (failure) => showToast(() => sendErrorText(failure), { kind: 'bad', ms: noticeMs }),
  })
  const uploaded = documents.map(({ kind, state }) => ({ kind, state }))
  const ready = isSatisfied('proof_of_identity', uploaded) && isSatisfied('proof_of_address', uploaded)
  if (!ready || !documents.some(({ state }) => state === 'uploaded')) return null
  return (
    <div>
      <Button kind="primary" pending={send.isPending} disabledReason={hindrance} onClick={() => send.mutate({})}>
        <Trans>SEND FOR APPROVAL</Trans>
      </Button>
    </div>
  )
}

/** Returns which saved documents can no longer be sent, or have unsaved changes, as a message; null if none. */
function useSubmitBlockReason(data: ClientDocuments, changed: readonly DocumentKind[]): string | null {
  const { t } = useLingui()
  const words = useDocumentLabels()
  const refused = checkSend(documentStates(data.documents))
  if (refused && 'blocked' in refused) {
    const { blocked } = refused
    return `${words[blocked].name}: ${data.documents[blocked]?.blockedReason ?? ''}`
  }
  const unsaved = changed.find((kind) => data.documents[kind]?.status === 'uploaded')
  if (unsaved === undefined) return null
  const { name } = words[unsaved]
  return t`Save your change to ${name} first.`
}
