import { Trans, useLingui } from '@lingui/react/macro'
import { documentsApproval, getDocuments } from '#contract/documents.ts'
import { currentUser } from '#contract/users-session.ts'
import { type DocumentKind, documentKinds } from '#rules/document-kinds.ts'
import { groupOf, isLocked, isSatisfied } from '#rules/documents.ts'
import { Button } from '#ui/button.tsx'
import { Accordion } from '#ui/disclosure.tsx'
import { failedRead, useVerb } from '#ui/endpoint-query.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { noticeMs, tell } from '#ui/passing-notices.tsx'
import type { ScreenProps } from '#ui/screens.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Status } from '#ui/status.tsx'
import { type Country, type PortalSettings, useCountriesRead, usePortalSettingsRead } from '../../portal-settings.ts'
import { type Client, useClient } from '../../session.ts'
import { type ClientDocuments, listed, useClientDocuments } from '../upload-documents/client-documents.ts'
import { DocumentForm } from '../upload-documents/document-form.tsx'
import { useDocumentWords } from '../upload-documents/document-words.tsx'
import { NeedsPanel } from '../upload-documents/needs-panel.tsx'
import { NotAccepted } from '../upload-documents/not-accepted.tsx'
import './documents.css'
import { ShownDocument } from './shown-document.tsx'

/** Every document in a section of its own; /document/{documentType} opens with that one. */
export default function DocumentsPage({ params }: ScreenProps) {
  const { t } = useLingui()
  const client = useClient()
  const settingsRead = usePortalSettingsRead()
  const countriesRead = useCountriesRead()
  const documents = useClientDocuments(client?.id ?? '')
  const failed = failedRead(documents, settingsRead, countriesRead)
  const settings = settingsRead.data
  const countries = countriesRead.data?.countries
  return (
    <>
      <PageHeader title={t`Documents`}>
        <Trans>Who you are and where you live, shown by documents that are valid.</Trans>
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
        <Skeleton width={320} height={24} />
      )}
    </>
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
  const words = useDocumentWords()
  const accepts = countries.find(({ code }) => code === client.country)?.accepts ?? []
  const kinds = shownKinds(accepts, data)
  // What has to be sent again is open with its reason.
  const refused = kinds.find((kind) => ['rejected', 'expired'].includes(data.documents[kind]?.status ?? ''))
  const sections = kinds.map((kind) => {
    const record = data.documents[kind]
    return {
      key: kind,
      title: words[kind].name,
      end: record ? <Status state={record.status} /> : null,
      children:
        record && isLocked(record.status) ? (
          <ShownDocument kind={kind} record={record} countries={countries} />
        ) : (
          <DocumentForm
            key={record?.status ?? 'none'}
            clientId={client.id}
            kind={kind}
            record={record}
            countries={countries}
            country={client.country}
            bytesMax={settings.limits.uploadBytesMax}
            onSaved={() => undefined}
          />
        ),
    }
  })
  return (
    <div className="with-slip">
      <div className="stack-6">
        <Accordion sections={sections} initial={sectionFor(asked, kinds) ?? refused ?? null} />
        <SendForApproval data={data} />
      </div>
      <NeedsPanel data={data} accepts={accepts} />
    </div>
  )
}

/**
 * The section that an address asks for: that of its kind, or one of the same group where the kind has none of its own. The
 * address may name the group itself (specification section 3).
 */
function sectionFor(asked: string | null, shown: readonly DocumentKind[]): DocumentKind | null {
  const kind = documentKinds.find((one) => one === asked)
  const group = kind ? groupOf(kind) : asked
  return shown.find((one) => one === kind) ?? shown.find((one) => groupOf(one) === group) ?? null
}

/** The kinds that the client's level accepts, what stands already, and a source of wealth once it was asked for. */
function shownKinds(accepts: readonly DocumentKind[], data: ClientDocuments): DocumentKind[] {
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

/** Appears only with an identity document and a proof of address, where something is not sent yet. */
function SendForApproval({ data }: { data: ClientDocuments }) {
  const { t } = useLingui()
  const documents = listed(data.documents)
  const send = useVerb(documentsApproval, {
    refreshes: [getDocuments, currentUser],
    onDone: () => tell(t`Sent. We check your documents within 48 hours.`),
    onFailure: () =>
      tell(t`Something went wrong on our side. Please, contact support and we'll look into it.`, {
        kind: 'bad',
        ms: noticeMs,
      }),
  })
  const ready = isSatisfied('proof_of_identity', documents) && isSatisfied('proof_of_address', documents)
  if (!ready || !documents.some(({ state }) => state === 'uploaded')) return null
  return (
    <div>
      <Button kind="primary" pending={send.isPending} onClick={() => send.mutate({})}>
        <Trans>SEND FOR APPROVAL</Trans>
      </Button>
    </div>
  )
}
