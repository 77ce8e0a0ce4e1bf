import { IconFileText, IconId, IconPlus } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { requestSourceOfWealth, getDocumentCase, type DocumentCase } from '#contract/office/documents.ts'
import { officePaths } from '#contract/office-paths.ts'
import { isIdentityKind } from '#rules/documents.ts'
import { seesDocuments } from '#rules/permissions.ts'
import { Link } from '#ui/navigation/link.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { Thumbnail } from '../../decision/thumbnail.tsx'
import { Neighbours } from '../../decision/record-page.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { useMayDo, useStaff } from '../../session.ts'

interface CaseHeadProps {
  found: DocumentCase
  chosenId: string | null
  onChoose: (id: string) => void
}

/** The client, the tabs of the documents, and the request for a further document. */
export function CaseHead({ found, chosenId, onChoose }: CaseHeadProps) {
  const { t } = useLingui()
  const word = useDocumentLabel()
  const current = useFocusOnNext(chosenId)
  // An auditor first gives a reason, at the image.
  const sees = seesDocuments(useStaff().staff.roles)
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
        <Neighbours kind="document" record={found.client.id} />
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
  const may = useMayDo('askSourceOfWealth')
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
