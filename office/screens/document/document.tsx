import { useLingui, Trans } from '@lingui/react/macro'
import { useRef, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import * as z from 'zod/mini'
import { IconFileText, IconId, IconPlus } from '@tabler/icons-react'
import type { Decided } from '#contract/office/decisions.ts'
import { getDocumentCase, type DocumentCase, requestSourceOfWealth } from '#contract/office/documents.ts'
import { officePaths } from '#contract/office-paths.ts'
import { isIdentityKind } from '#rules/documents.ts'
import { canSeeDocuments } from '#rules/permissions.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { ItemAssignment, useFreshRecord, QueuePosition } from '../../decision/record-page.tsx'
import { recordScreen } from '../../decision/record-parts.tsx'
import { CaseImages } from './case-images.tsx'
import { DocumentPanel } from './document-panel.tsx'
import { Thumbnail } from '../../decision/thumbnail.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { useCanDo, useStaff } from '../../session.ts'
import './document.css'

const address = z.object({ document: z.catch(z.string(), '') })

/** The documents of one client: the image takes half the screen, beside the data of document and client. */
export default recordScreen(getDocumentCase, (data) => <Case found={data.case} />)

function Case({ found }: { found: DocumentCase }) {
  const { t } = useLingui()
  const word = useDocumentLabel()
  const [{ document: asked }, setAsked] = useUrlState(address)
  const [, navigate] = useLocation()
  useFreshRecord(found.id)
  const chosen =
    found.documents.find((one) => one.id === asked) ??
    found.documents.find(({ state }) => state === 'pending_approval') ??
    found.documents[0]
  const kind = chosen ? word(chosen.kind) : t`Documents`
  useWindowTitle(`${kind} · ${found.client.name}`)
  // Decided here at this version: data loaded before may still say that it is pending.
  const decided = useRef(new Map<string, { version: number; state: string }>())
  // The next pending document of the case, then the client if nothing else is missing, else the queue.
  const openNextDocument = ({ state }: Decided): boolean => {
    if (chosen) decided.current.set(chosen.id, { version: chosen.version, state })
    const documents = found.documents.map((one) => {
      const decision = decided.current.get(one.id)
      return decision?.version === one.version ? { ...one, state: decision.state } : one
    })
    const next = documents.find((one) => one.state === 'pending_approval')
    if (next) setAsked({ document: next.id })
    else if (state === 'approved' && isProven(found.client.status, documents))
      navigate(officePaths.client(found.client.id))
    else return false
    return true
  }
  return (
    <div className="case">
      <div className="case-left">
        <CaseHead found={found} chosenId={chosen?.id ?? null} onChoose={(document) => setAsked({ document })} />
        {chosen && <CaseImages found={found} chosen={chosen} />}
      </div>
      {chosen && <DocumentPanel key={chosen.id} found={found} document={chosen} openNextDocument={openNextDocument} />}
    </div>
  )
}

/** Returns whether identity and address are approved, so that the client's approval is next. */
function isProven(status: string, documents: readonly { group: string; state: string }[]): boolean {
  const groups = new Set(documents.filter(({ state }) => state === 'approved').map(({ group }) => group))
  return status === 'pending' && groups.has('proof_of_identity') && groups.has('proof_of_address')
}

interface CaseHeadProps {
  found: DocumentCase
  chosenId: string | null
  onChoose: (id: string) => void
}

/** The client, the tabs of the documents, and the request for a further document. */
function CaseHead({ found, chosenId, onChoose }: CaseHeadProps) {
  const { t } = useLingui()
  const word = useDocumentLabel()
  const current = useFocusOnNext(chosenId)
  // An auditor first gives a reason, at the image.
  const sees = canSeeDocuments(useStaff().staff.roles)
  return (
    <>
      <header className="case-head">
        <div>
          <p className="section-name">{t`Documents`}</p>
          <h1>
            <Link href={officePaths.client(found.client.id)}>{found.client.name}</Link>{' '}
            <span className="muted size-14 numbers">{found.client.number}</span>
          </h1>
        </div>
        <div className="row wrap">
          <ItemAssignment record={found} />
          <QueuePosition kind="document" record={found.client.id} />
        </div>
      </header>
      <div className="case-documents" role="group" aria-label={t`Documents of ${found.client.name}`}>
        {found.documents.map(({ id, kind, state, front, back }) => {
          const Icon = isIdentityKind(kind) ? IconId : IconFileText
          const file = [front, back].find((side) => side?.state === 'clean')
          return (
            <button
              key={id}
              ref={id === chosenId ? current : undefined}
              type="button"
              className="case-document"
              aria-current={id === chosenId ? 'true' : undefined}
              onClick={() => onChoose(id)}
            >
              <Thumbnail fileId={sees && file ? file.fileId : null}>
                <Icon aria-hidden="true" />
              </Thumbnail>
              <span>
                <b>{word(kind)}</b>
                <StatusBadge record="document" state={state} />
              </span>
            </button>
          )
        })}
        <RequestWealth found={found} />
      </div>
    </>
  )
}

/** After a decision, focuses the name of the next document of the case. */
function useFocusOnNext(chosenId: string | null) {
  const current = useRef<HTMLButtonElement>(null)
  const shown = useRef(chosenId)
  useEffect(() => {
    if (shown.current === chosenId) return
    shown.current = chosenId
    current.current?.focus()
  }, [chosenId])
  return current
}

function RequestWealth({ found }: { found: DocumentCase }) {
  const { t } = useLingui()
  const may = useCanDo('askSourceOfWealth')
  const [asks, setAsks] = useState(false)
  if (!may || found.sourceOfWealth.refusal || found.sourceOfWealth.askedAt) return null
  return (
    <>
      <button type="button" className="case-document ask" onClick={() => setAsks(true)}>
        <IconPlus aria-hidden="true" />
        <span>
          <b>{t`Request another`}</b>
          <Trans>source of wealth</Trans>
        </span>
      </button>
      {asks && (
        <ActionDialog
          endpoint={requestSourceOfWealth}
          input={(reason) => ({ id: found.client.id, reason })}
          refreshes={[getDocumentCase]}
          done={t`Requested. ${found.client.name} will be notified by email.`}
          title={t`Request proof of source of wealth`}
          command={<Trans>Request document</Trans>}
          reader={found.client}
          onClose={() => setAsks(false)}
        >
          <p className="muted">
            <Trans>{found.client.name} gets your message by email and can upload the file under Documents.</Trans>
          </p>
        </ActionDialog>
      )}
    </>
  )
}
