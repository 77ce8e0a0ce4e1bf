import { Trans, useLingui } from '@lingui/react/macro'
import { outcomeLabels, topicLabels } from '#contract/enquiry-labels.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { answerEnquiry, closeEnquiry, concludeComplaint, getOfficeEnquiry } from '#contract/office/enquiries.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { complaintOutcomes, type ComplaintOutcome } from '#rules/enquiries.ts'
import { call } from '#ui/api/call.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { ClientFacts, recordScreen } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { Due } from '../../decision/due-labels.tsx'
import { type Decision, useDecision } from '../../decision/decision.tsx'
import { RecordPage } from '../../decision/record-page.tsx'
import './enquiry.css'

type Enquiry = ResponseOf<typeof getOfficeEnquiry>['enquiry']

/** One enquiry or complaint: its messages, the sender, and the reply. */
export default recordScreen(getOfficeEnquiry, ({ enquiry }) => <Page enquiry={enquiry} />)

function Page({ enquiry }: { enquiry: Enquiry }) {
  const { t } = useLingui()
  const topic = useLabels(topicLabels)
  const deciding = useDecision('enquiry', officePaths.enquiries)
  const decisions = useDecisions(enquiry)
  const { client, complaint, reference, messages } = enquiry
  const title = complaint ? t`Complaint` : client ? topic(enquiry.topic) : t`Contact form`
  const { client: _owner, ...facts } = enquiry
  const record = client ? { ...facts, client } : facts
  return (
    <RecordPage
      kind="enquiry"
      record={record}
      section={
        <>
          <Trans>Enquiry</Trans> · <span className="numbers unbroken">{reference}</span>
        </>
      }
      title={title}
      deciding={deciding}
      decisions={decisions}
      sentence={<ReplyEffect enquiry={enquiry} />}
    >
      <Outcome enquiry={enquiry} />
      <RecordSection title={<Trans>Messages</Trans>}>
        <ol className="enquiry-messages">
          {messages.map(({ id, staff, text, at }) => (
            <li key={id} className="stack-2" data-from={staff ? 'firm' : 'client'}>
              <p className="row between wrap">
                <b className="strong">{staff?.name ?? client?.name ?? enquiry.name}</b>
                <span className="muted">
                  <Time at={at} />
                </span>
              </p>
              <p className="enquiry-text">
                <UserText>{text}</UserText>
              </p>
            </li>
          ))}
        </ol>
      </RecordSection>
      <div className="columns-2">
        {client ? <ClientFacts client={client} /> : <Sender enquiry={enquiry} />}
        <About enquiry={enquiry} />
      </div>
    </RecordPage>
  )
}

/** Says who will receive the reply. A client who may not sign in receives it by email. */
function ReplyEffect({ enquiry }: { enquiry: Enquiry }) {
  const { client, complaint } = enquiry
  const readsIt = client !== null && client.status !== 'suspended' && client.status !== 'closed'
  const email = client?.email ?? enquiry.email
  const reply = readsIt ? (
    <Trans>
      <b>Reply</b> to answer in the portal. {client.name} gets an email without the text.
    </Trans>
  ) : (
    <Trans>
      <b>Reply</b> to send your text by email to {email}.
    </Trans>
  )
  if (!complaint) return reply
  return (
    <>
      {reply} <Trans>Compliance concludes a complaint with its outcome.</Trans>
    </>
  )
}

function Outcome({ enquiry: { outcome, concludedAt } }: { enquiry: Enquiry }) {
  const label = useLabels(outcomeLabels)
  if (outcome === null || concludedAt === null) return null
  return (
    <Alert title={<Trans>Outcome of the complaint</Trans>}>
      {label(outcome)}, <Time at={concludedAt} />
    </Alert>
  )
}

/** A sender who was not logged in, and the client with the same address. */
function Sender({ enquiry: { name, email, sameEmail } }: { enquiry: Enquiry }) {
  const { t } = useLingui()
  return (
    <RecordSection title={<Trans>Sender</Trans>}>
      <DescriptionList
        rows={[
          { key: t`Name`, value: name },
          { key: t`Email`, value: email },
          {
            key: t`Client with this email`,
            value: sameEmail ? (
              <Link href={officePaths.client(sameEmail.id)}>
                {sameEmail.name} · {sameEmail.number}
              </Link>
            ) : (
              t`None`
            ),
          },
        ]}
      />
      <p className="muted">{t`The sender did not sign in. Do not give out personal or account data by email.`}</p>
    </RecordSection>
  )
}

function About({ enquiry: { about, complaint, topic, dueAt, state, createdAt, client } }: { enquiry: Enquiry }) {
  const { t } = useLingui()
  const label = useLabels(topicLabels)
  const waits = state === 'open' || (complaint && state !== 'closed')
  return (
    <RecordSection title={<Trans>Details</Trans>}>
      <DescriptionList
        rows={[
          { key: t`Complaint`, value: complaint ? t`Yes` : t`No` },
          client !== null && { key: t({ message: 'Subject', context: 'enquiry' }), value: label(topic) },
          { key: t`Received`, value: <Time at={createdAt} /> },
          waits && { key: t`Due`, value: <Due at={dueAt} /> },
          about !== null && {
            key: t`About`,
            value: (
              <Link href={pathOfWorkItem(about.kind, about.id)}>
                <Codes>{about.reference}</Codes>
              </Link>
            ),
          },
        ]}
      />
    </RecordSection>
  )
}

/** The message that is being answered, which the dialog covers. */
function MessageReview({ text }: { text: string }) {
  const { t } = useLingui()
  return (
    <div className="enquiry-review" role="group" aria-label={t`Message`} tabIndex={0}>
      <p className="enquiry-text">
        <UserText>{text}</UserText>
      </p>
    </div>
  )
}

function useDecisions({ id, version, complaint, client, messages }: Enquiry): Decision[] {
  const { t } = useLingui()
  const label = useLabels(outcomeLabels)
  const unanswered = messages.findLast(({ staff }) => !staff)
  const review = unanswered && <MessageReview text={unanswered.text} />
  const answer: Decision = {
    action: 'answer',
    label: <Trans>Reply</Trans>,
    kind: complaint ? 'outline' : 'primary',
    key: 'r',
    title: t`Reply to the message`,
    review,
    words: 'reply',
    send: (text) => call(answerEnquiry, { id, version, text }),
  }
  if (!complaint) {
    const close: Decision = {
      action: 'close',
      label: <Trans>Close</Trans>,
      kind: 'outline',
      key: 'c',
      title: t`Close enquiry`,
      review: client ? (
        <p>
          <Trans>{client.name} is not notified. A new message reopens the enquiry.</Trans>
        </p>
      ) : (
        <p>
          <Trans>The sender is not notified.</Trans>
        </p>
      ),
      words: 'none',
      send: () => call(closeEnquiry, { id, version }),
    }
    return [close, answer]
  }
  const conclude: Decision = {
    action: 'conclude',
    label: <Trans>Conclude complaint</Trans>,
    kind: 'primary',
    key: 'a',
    title: t`Conclude complaint`,
    review,
    choice: {
      label: t`Outcome`,
      missing: t`Choose the outcome.`,
      tiles: complaintOutcomes.map((value) => ({ value, label: label(value) })),
    },
    words: 'reply',
    send: (text, outcome) => call(concludeComplaint, { id, version, text, outcome: outcome as ComplaintOutcome }),
  }
  return [answer, conclude]
}
