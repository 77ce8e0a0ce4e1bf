import { IconCircleCheckFilled, IconCircleDashed, IconLock, IconProgress } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { processingHoursMax } from '#rules/constants.ts'
import {
  type DocumentGroup,
  type DocumentKind,
  groupOf,
  isApproved,
  isGroupSent,
  isSatisfied,
} from '#rules/documents.ts'
import { type ClientDocuments, isComplete, documentStates } from './client-documents.ts'
import { useDocumentLabels } from './document-labels.tsx'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { listFormat } from '#ui/text/formats.ts'
import './requirements.css'

/** Shows what is needed, what is done, and who sees it; from the first page on. */
export function Requirements({ data, accepts }: { data: ClientDocuments; accepts: readonly DocumentKind[] }) {
  const { t, i18n } = useLingui()
  const words = useDocumentLabels()
  const documents = documentStates(data.documents)
  const sent = documents.some(({ state }) => state === 'pending_approval')
  const bothApproved = data.identityApproved && data.addressApproved
  const isDone = isComplete(data)
  const markOf = (group: DocumentGroup) =>
    isDone || isApproved(group, documents) ? 'ok' : isSatisfied(group, documents) ? (sent ? 'run' : 'begun') : 'open'
  const markLabels = {
    ok: t({ message: 'approved', context: 'document' }),
    run: t`received`,
    begun: t`uploaded`,
    open: t`still needed`,
  }
  const either = listFormat(i18n.locale, { type: 'disjunction' })
  // English names are in lower case within a sentence; German nouns are not.
  const inSentence = (name: string, at: number) =>
    at > 0 && i18n.locale === 'en' ? name.charAt(0).toLowerCase() + name.slice(1) : name
  const textOf = (group: DocumentGroup, kinds: readonly DocumentKind[]) => {
    const satisfying = documents.find((document) => groupOf(document.kind) === group && isSatisfied(group, [document]))
    if (satisfying) return words[satisfying.kind].name
    if (isDone) return t({ message: 'Approved', context: 'document' })
    return either.format(
      kinds.filter((kind) => accepts.includes(kind)).map((kind, at) => inSentence(words[kind].name, at)),
    )
  }
  const reviewMark = sent ? 'run' : bothApproved ? 'ok' : 'open'
  const reviewLabels = { run: t`in progress`, ok: t`done`, open: t`not started` }
  const groups = ['proof_of_identity', 'proof_of_address'] as const
  const allSent = groups.every((group) => isGroupSent(group, documents))
  // Once both are approved or being reviewed nothing more is needed. One that is saved is still to be sent.
  const title = bothApproved || allSent ? t`Your documents` : t`Documents we need`
  return (
    <aside className="sheet document-needs" aria-label={title}>
      <h2 className="title-3">{title}</h2>
      <ul>
        <Requirement
          mark={markOf('proof_of_identity')}
          label={markLabels[markOf('proof_of_identity')]}
          title={<Trans>Proof of identity</Trans>}
        >
          {textOf('proof_of_identity', ['passport', 'id', 'drivers_licence'])}
        </Requirement>
        <Requirement
          mark={markOf('proof_of_address')}
          label={markLabels[markOf('proof_of_address')]}
          title={<Trans>Proof of address</Trans>}
        >
          {textOf('proof_of_address', ['bank_statement', 'utility_bill', 'government_letter'])}
        </Requirement>
        <Requirement mark={reviewMark} label={reviewLabels[reviewMark]} title={<Trans>Our review</Trans>}>
          {bothApproved && !sent ? <Trans>Done</Trans> : <Trans>Takes up to {processingHoursMax} hours</Trans>}
        </Requirement>
      </ul>
      <StorageNote />
    </aside>
  )
}

/** The same while the documents load. */
export function LoadingRequirements() {
  const { t } = useLingui()
  return (
    <aside className="sheet document-needs" aria-label={t`Your documents`}>
      <h2 className="title-3">{t`Your documents`}</h2>
      <ul>
        <LoadingRequirement title={<Trans>Proof of identity</Trans>} />
        <LoadingRequirement title={<Trans>Proof of address</Trans>} />
        <LoadingRequirement title={<Trans>Our review</Trans>} />
      </ul>
      <StorageNote />
    </aside>
  )
}

function LoadingRequirement({ title }: { title: ReactNode }) {
  return (
    <li>
      <Skeleton width={20} height={20} />
      <div>
        <b className="strong">{title}</b>
        <p>
          <Skeleton width={140} />
        </p>
      </div>
    </li>
  )
}

function StorageNote() {
  const { t } = useLingui()
  return (
    <p className="document-needs-foot">
      <IconLock className="small" aria-hidden="true" />
      <span>{t`Stored encrypted. Only staff who review documents can open them. Every access is logged.`}</span>
    </p>
  )
}

const marks = { ok: IconCircleCheckFilled, run: IconProgress, begun: IconProgress, open: IconCircleDashed }

const tones = { ok: 'tone-ok', run: 'tone-run', begun: 'tone-run', open: 'faint' }

interface RequirementProps {
  mark: keyof typeof marks
  /** What the mark shows, for those who do not see it. */
  label: string
  title: ReactNode
  children: ReactNode
}

function Requirement({ mark, label, title, children }: RequirementProps) {
  const Mark = marks[mark]
  return (
    <li>
      <Mark className={tones[mark]} aria-hidden="true" />
      <div>
        <b className="strong">{title}</b> <span className="unseen">{label}</span>
        <p className="muted">{children}</p>
      </div>
    </li>
  )
}
