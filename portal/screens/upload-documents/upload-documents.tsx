import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import { isLocked, isSatisfied, nextGroup, type DocumentKind } from '#rules/documents.ts'
import { useBrowserBack, useSteps } from '#ui/navigation/browser-back.ts'
import { failedRead } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { PageHeader, useWindowTitle } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { StepHeader } from '#ui/layout/wizard.tsx'
import { type Country, type PortalSettings, useCountriesQuery, usePortalSettingsQuery } from '../../portal-settings.ts'
import { type Client, useClient } from '../../session.ts'
import { ChooseDocumentType } from './choose-document-type.tsx'
import { ChooseMethod } from './choose-method.tsx'
import {
  type ClientDocuments,
  isComplete,
  documentStates,
  useClientDocuments,
  type DocumentRecord,
} from './client-documents.ts'
import { DocumentForm } from './document-form.tsx'
import { useDocumentLabels } from './document-labels.tsx'
import { Finished } from './finished.tsx'
import { GroupSection } from './group-section.tsx'
import { LoadingRequirements, Requirements } from './requirements.tsx'
import { NotAccepted } from './not-accepted.tsx'
import { IconArrowLeft } from '@tabler/icons-react'
import { Button } from '#ui/forms/button.tsx'
import { ReadOnlyDocument } from '../documents/shown-document.tsx'
import './upload-documents.css'

/** The wizard's steps (requirements 6.5). choose_type is never shown: it leads to what is still needed. */
type Group = 'proof_of_identity' | 'proof_of_address'
type Kind = 'passport' | 'drivers_licence' | 'id' | 'bank_statement' | 'utility_bill' | 'government_letter'
type Step = 'choose_method' | 'choose_type' | Group | Kind | 'finished'

const groups: Record<Kind, Group> = {
  passport: 'proof_of_identity',
  id: 'proof_of_identity',
  drivers_licence: 'proof_of_identity',
  bank_statement: 'proof_of_address',
  utility_bill: 'proof_of_address',
  government_letter: 'proof_of_address',
}

/** Uploads images that prove the client's identity and address. The portal opens automatically after the approval. */
export default function UploadDocuments() {
  const { t } = useLingui()
  const client = useClient()
  const settingsRead = usePortalSettingsQuery()
  const countriesRead = useCountriesQuery()
  const documents = useClientDocuments(client?.id ?? '')
  useWindowTitle(t`Upload documents`)
  useOpenAfterApproval(client)
  const failed = failedRead(documents, settingsRead, countriesRead)
  const settings = settingsRead.data
  const countries = countriesRead.data?.countries
  if (failed) return <ErrorPanel level="h1" failure={failed.failure} onRetry={failed.again} />
  if (!client || !settings || !countries || !documents.data)
    return (
      <div className="with-slip">
        <div className="stack-6">
          <Skeleton width={280} height={36} />
          <Skeleton width="100%" height={200} />
          <p className="unseen" role="status">{t`Loading your documents.`}</p>
        </div>
        <LoadingRequirements />
      </div>
    )
  if (client.status === 'rejected')
    return (
      <>
        <PageHeader title={t`Upload documents`} />
        <NotAccepted email={client.email} supportEmail={settings.firm.supportEmail} />
      </>
    )
  return <Wizard client={client} settings={settings} countries={countries} data={documents.data} />
}

/** Opens the portal when the client is approved while the page is open. */
function useOpenAfterApproval(client: Client | null): void {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const open = client !== null && (client.status === 'approved' || client.gcenApiKYCPass)
  const before = useRef(open)
  useEffect(() => {
    if (open && !before.current) {
      showToast(() => t`Your documents have been approved.`)
      navigate(portalPaths.tradingAccounts)
    }
    before.current = open
  }, [open, navigate, t])
}

interface WizardProps {
  client: Client
  settings: PortalSettings
  countries: readonly Country[]
  data: ClientDocuments
}

function Wizard({ client, settings, countries, data }: WizardProps) {
  const words = useDocumentLabels()
  useBrowserBack()
  const documents = documentStates(data.documents)
  const stepName = `portal.document-step.${client.id}`
  const [chosen, setChosen] = useState<Step>(
    () => storedStep(stepName) ?? (documents.length > 0 || isComplete(data) ? 'choose_type' : 'choose_method'),
  )
  // A document uploaded on another device moves the waiting page on.
  const wanted = chosen === 'choose_method' && documents.length > 0 ? 'choose_type' : chosen
  const needed = isComplete(data) ? 'finished' : nextGroup(documents)
  const step = wanted === 'choose_type' ? needed : wanted
  const steps = useSteps<Step>(step, (next) => {
    // A reload continues with the same document.
    sessionStorage.setItem(stepName, next)
    setChosen(next)
    scrollTo(0, 0)
  })
  const accepts = countries.find(({ code }) => code === client.country)?.accepts ?? []
  const view = () => {
    if (step === 'choose_method') return <ChooseMethod onChosen={() => steps.next('choose_type')} />
    if (step === 'finished')
      return <Finished client={client} data={data} supportEmail={settings.firm.supportEmail} onChange={steps.next} />
    if (step === 'proof_of_identity' || step === 'proof_of_address') {
      return (
        <ChooseDocumentType
          group={step}
          accepts={accepts}
          documents={data.documents}
          satisfied={isSatisfied(step, documents)}
          supportEmail={settings.firm.supportEmail}
          onKind={steps.next}
          onNext={() => steps.next('choose_type')}
          onBack={backActionOf(
            step,
            documents.length > 0,
            () => steps.back('choose_method'),
            () => steps.back('proof_of_identity'),
          )}
        />
      )
    }
    const group = groups[step]
    const record = data.documents[step]
    return (
      <>
        <StepHeader section={<GroupSection group={group} />} title={words[step].yours}>
          {words[step].note}.
        </StepHeader>
        {record && isLocked(record.status) ? (
          <LockedDocument kind={step} record={record} countries={countries} onBack={() => steps.back(group)} />
        ) : (
          <DocumentForm
            clientId={client.id}
            kind={step}
            record={record}
            countries={countries}
            country={client.country}
            bytesMax={settings.limits.uploadBytesMax}
            onSaved={() => steps.next('choose_type')}
            onBack={() => steps.back(group)}
          />
        )}
      </>
    )
  }
  return (
    <div className="with-slip">
      <div key={step}>{view()}</div>
      {accepts.length > 0 && <Requirements data={data} accepts={accepts} />}
    </div>
  )
}

/** Returns the document whose form was open before a reload; other steps follow from the saved documents. */
function storedStep(name: string): Step | null {
  const kept = sessionStorage.getItem(name) ?? ''
  return kept in groups ? (kept as Kind) : null
}

/** Returns the previous list: the address list follows the identity list, which follows the method. */
function backActionOf(
  group: Group,
  begun: boolean,
  toMethod: () => void,
  toIdentity: () => void,
): (() => void) | undefined {
  if (group === 'proof_of_address') return toIdentity
  return begun ? undefined : toMethod
}

interface LockedDocumentProps {
  kind: DocumentKind
  record: DocumentRecord
  countries: readonly Country[]
  onBack: () => void
}

/** A document being reviewed or approved: no upload and no submit (requirements 6.3), only back to its list. */
function LockedDocument({ onBack, ...document }: LockedDocumentProps) {
  const { t } = useLingui()
  useBrowserBack(onBack)
  return (
    <>
      <ReadOnlyDocument {...document} />
      <footer className="wizard-footer">
        <Button onClick={onBack} icon={<IconArrowLeft aria-hidden="true" />}>{t`BACK`}</Button>
      </footer>
    </>
  )
}
