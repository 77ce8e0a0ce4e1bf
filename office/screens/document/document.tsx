import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import * as z from 'zod/mini'
import type { Decided } from '#contract/office/decisions.ts'
import { getDocumentCase, type DocumentCase } from '#contract/office/documents.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { useFreshRecord } from '../../decision/record-page.tsx'
import { RecordScreen } from '../../decision/record-parts.tsx'
import { CaseHead } from './case-head.tsx'
import { CaseImages } from './case-images.tsx'
import { DocumentPanel } from './document-panel.tsx'
import './document.css'

const address = z.object({ document: z.catch(z.string(), '') })

/** The documents of one client: the image takes half the screen, beside the data of document and client. */
export default function DocumentScreen({ params }: ScreenProps) {
  const id = params['id'] ?? ''
  const read = useEndpoint(getDocumentCase, { id })
  return <RecordScreen read={read}>{(data) => <Case key={id} found={data.case} />}</RecordScreen>
}

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
  const goOn = ({ state }: Decided): boolean => {
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
      {chosen && <DocumentPanel key={chosen.id} found={found} document={chosen} goOn={goOn} />}
    </div>
  )
}

/** Returns whether identity and address are approved, so that the client's approval is next. */
function isProven(status: string, documents: readonly { group: string; state: string }[]): boolean {
  const groups = new Set(documents.filter(({ state }) => state === 'approved').map(({ group }) => group))
  return status === 'pending' && groups.has('proof_of_identity') && groups.has('proof_of_address')
}
