import { IconArrowLeft, IconArrowRight, IconBan, IconChevronRight } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { DocumentKind } from '#rules/documents.ts'
import { useBrowserBack } from '#ui/navigation/browser-back.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmailLink } from '#ui/text/email-link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { StepHeader } from '#ui/layout/wizard.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { ContinueLaterNote } from './choose-method.tsx'
import { resubmissionReason, type ClientDocuments } from './client-documents.ts'
import { useDocumentLabels } from './document-labels.tsx'
import { GroupSection } from './group-section.tsx'

const kinds = {
  proof_of_identity: ['passport', 'id', 'drivers_licence'],
  proof_of_address: ['bank_statement', 'utility_bill', 'government_letter'],
} as const
type Group = keyof typeof kinds
type Kind = (typeof kinds)[Group][number]

interface ChooseDocumentTypeProps {
  group: Group
  /** The kinds that the country of residence accepts. */
  accepts: readonly DocumentKind[]
  documents: ClientDocuments['documents']
  satisfied: boolean
  supportEmail: string
  onKind: (kind: Kind) => void
  onNext: () => void
  onBack: (() => void) | undefined
}

/** proof_of_identity and proof_of_address: one of three documents each. */
export function ChooseDocumentType({
  group,
  accepts,
  documents,
  satisfied,
  supportEmail,
  onKind,
  onNext,
  onBack,
}: ChooseDocumentTypeProps) {
  const { t } = useLingui()
  const askedAgain = kinds[group].flatMap((kind) => {
    const reason = resubmissionReason(documents[kind])
    return reason === null ? [] : [{ kind, reason }]
  })
  const words = useDocumentLabels()
  useBrowserBack(onBack)
  return (
    <>
      {accepts.length === 0 ? (
        <StepHeader title={<Trans>We cannot accept documents from your country of residence</Trans>}>
          <Trans>
            Email <EmailLink address={supportEmail} /> to find out your options.
          </Trans>
        </StepHeader>
      ) : (
        <GroupHeader group={group} />
      )}
      {askedAgain.map(({ kind, reason }) => (
        <div key={kind} className="document-rejected">
          <Alert kind="bad" title={<Trans>Please upload again: {words[kind].name}</Trans>}>
            <UserText>{reason}</UserText>
          </Alert>
        </div>
      ))}
      {accepts.length > 0 && (
        <ul className="document-choices">
          {kinds[group].map((kind) => (
            <li key={kind}>
              <TypeChoice
                kind={kind}
                accepted={accepts.includes(kind)}
                state={documents[kind]?.status}
                onChoose={() => onKind(kind)}
              />
            </li>
          ))}
        </ul>
      )}
      <footer className="wizard-footer">
        {onBack ? <Button onClick={onBack} icon={<IconArrowLeft aria-hidden="true" />}>{t`BACK`}</Button> : <span />}
        {satisfied ? (
          <Button kind="primary" onClick={onNext} iconAfter={<IconArrowRight aria-hidden="true" />}>{t`NEXT`}</Button>
        ) : (
          accepts.length > 0 && <ContinueLaterNote />
        )}
      </footer>
    </>
  )
}

function GroupHeader({ group }: { group: Group }) {
  const { t } = useLingui()
  const identity = group === 'proof_of_identity'
  return (
    <StepHeader
      section={<GroupSection group={group} />}
      title={identity ? <Trans>Choose your identity document</Trans> : <Trans>Choose your proof of address</Trans>}
    >
      {identity
        ? t`It must be valid and in your own name. Upload a clear image or a PDF.`
        : t`It must be dated within the last 3\u00a0months and show your name and the address you gave us.`}
    </StepHeader>
  )
}

interface TypeChoiceProps {
  kind: Kind
  accepted: boolean
  state: string | undefined
  onChoose: () => void
}

/** One kind: a tile that opens its form, or says why it is not accepted. */
function TypeChoice({ kind, accepted, state, onChoose }: TypeChoiceProps) {
  const { t } = useLingui()
  const words = useDocumentLabels()[kind]
  if (!accepted) {
    return (
      <div className="document-choice off">
        <span className="document-choice-mark">{words.icon}</span>
        <span className="grow">
          <b className="strong">{words.name}</b>
          <span className="size-14">{t`Not accepted for your country of residence. Choose another one.`}</span>
        </span>
        <IconBan aria-hidden="true" />
      </div>
    )
  }
  return (
    <button type="button" className="document-choice" onClick={onChoose}>
      <span className="document-choice-mark">{words.icon}</span>
      <span className="grow">
        <b className="strong">{words.name}</b>
        <span className="muted size-14">{words.note}</span>
      </span>
      {state && <StatusBadge record="document" state={state} />}
      <IconChevronRight aria-hidden="true" />
    </button>
  )
}
