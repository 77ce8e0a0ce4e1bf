import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { processingHoursMax } from '#rules/constants.ts'
import { isSendable } from '#rules/documents.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { EmailLink, EmailText } from '#ui/text/email-link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { StepHeader } from '#ui/layout/wizard.tsx'
import type { Client } from '../../session.ts'
import { type ClientDocuments, isSourceOfWealthDue, documentStates } from './client-documents.ts'
import { useDocumentLabels } from './document-labels.tsx'
import { useSendDocuments, useSendError } from './send-documents.ts'

interface FinishedProps {
  client: Client
  data: ClientDocuments
  supportEmail: string
  onChange: (group: 'proof_of_identity') => void
}

/** finished: sends uploaded documents automatically, once; then compliance reviews the account. */
export function Finished({ client, data, supportEmail }: FinishedProps) {
  const { t } = useLingui()
  const documents = documentStates(data.documents)
  const unsent = documents.some(isSendable)
  const waits = documents.some(({ state }) => state === 'pending_approval')
  // A failure stays on the page until the next attempt; a toast would repeat it.
  const send = useSendDocuments({})
  const begun = useRef(false)
  const { mutate } = send
  useEffect(() => {
    if (!unsent || begun.current) return
    begun.current = true
    mutate({})
  }, [unsent, mutate])
  if (send.error && unsent)
    return <NotSent failure={send.error} supportEmail={supportEmail} onRetry={() => mutate({})} />
  if (unsent) return <SendingDocuments />
  const isApproved = client.status === 'approved'
  if (isApproved && !waits) return <Approved />
  return (
    <div className="stack-6">
      <StepHeader title={<Trans>We are reviewing your documents</Trans>}>
        {isApproved ? (
          <Trans>
            This takes up to {processingHoursMax} hours. We will email our decision to{' '}
            <EmailText address={client.email} />.
          </Trans>
        ) : (
          <Trans>
            This takes up to {processingHoursMax} hours. We will email our decision to{' '}
            <EmailText address={client.email} />. This page will open the portal automatically.
          </Trans>
        )}
      </StepHeader>
      <SentDocuments documents={data.documents} />
      {isSourceOfWealthDue(data) && (
        <Alert kind="wait" title={<Trans>One more document</Trans>}>
          <Link
            className="lone-link"
            href={portalPaths.document('source_of_wealth')}
          >{t`Upload proof of your source of wealth`}</Link>
        </Alert>
      )}
      <Questions supportEmail={supportEmail} />
    </div>
  )
}

function Questions({ supportEmail }: { supportEmail: string }) {
  return (
    <p className="muted size-14">
      <Trans>
        Questions? Email <EmailLink address={supportEmail} />
      </Trans>
    </p>
  )
}

function SendingDocuments() {
  return (
    <>
      <StepHeader title={<Trans>Sending your documents</Trans>} />
      <p className="row muted" role="status">
        <Spinner />
        <Trans>This usually takes a few seconds.</Trans>
      </p>
    </>
  )
}

interface NotSentProps {
  failure: Error
  supportEmail: string
  onRetry: () => void
}

function NotSent({ failure, supportEmail, onRetry }: NotSentProps) {
  const { t } = useLingui()
  const sendErrorText = useSendError()
  return (
    <div className="stack-6">
      <StepHeader title={<Trans>Your documents were not sent</Trans>} />
      <Alert kind="bad">{sendErrorText(failure)}</Alert>
      <div>
        <Button kind="primary" onClick={onRetry}>{t`TRY AGAIN`}</Button>
      </div>
      <Questions supportEmail={supportEmail} />
    </div>
  )
}

function Approved() {
  const { t } = useLingui()
  return (
    <>
      <StepHeader title={<Trans>Your documents have been approved</Trans>}>
        <Trans>You do not need to do anything else. We will notify you 30 days before a document expires.</Trans>
      </StepHeader>
      <ButtonLink href={portalPaths.tradingAccounts} kind="primary">{t`TRADING ACCOUNTS`}</ButtonLink>
    </>
  )
}

/** Shows the sent documents and their status. */
function SentDocuments({ documents }: { documents: ClientDocuments['documents'] }) {
  const words = useDocumentLabels()
  return (
    <ul className="sheet document-sent">
      {documentStates(documents).map(({ kind, state }) => (
        <li key={kind}>
          <span className="document-choice-mark">{words[kind].icon}</span>
          <span className="grow">
            <b className="strong">{words[kind].name}</b>
            <span className="muted size-13">
              {documents[kind]?.sentAt && (
                <Trans>
                  Sent on <Time at={documents[kind].sentAt} />
                </Trans>
              )}
            </span>
          </span>
          <StatusBadge record="document" state={state} />
        </li>
      ))}
    </ul>
  )
}
