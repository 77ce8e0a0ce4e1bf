import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { answerAccessRequest, getAccessRequest } from '#contract/office/access-requests.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { officePaths } from '#contract/office-paths.ts'
import type { WithheldTopic } from '#rules/access-requests.ts'
import { refreshEndpoints, useEndpoint } from '#ui/api/endpoint-query.ts'
import { saveFile } from '#ui/api/upload.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Button } from '#ui/forms/button.tsx'
import { focusFirstError } from '#ui/forms/form-state.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { DecisionBar, OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Link } from '#ui/navigation/link.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { RecordError } from '../../decision/record-parts.tsx'
import './access-request.css'

type Request = ResponseOf<typeof getAccessRequest>
type StaffText = Request['texts'][number]
type Mark = NonNullable<StaffText['marked']>

/** A client's access request: compliance reads the texts of staff, marks each one, and downloads the answer. */
export default function AccessRequest({ params }: ScreenProps) {
  const { t } = useLingui()
  const read = useEndpoint(getAccessRequest, { id: params['id'] ?? '' })
  if (read.data) return <TextMarking request={read.data} />
  return (
    <OfficePage>
      {read.error ? (
        <RecordError failure={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <>
          <PageHeader title={t`Access request`} />
          <Skeleton width={240} height={26} />
        </>
      )}
    </OfficePage>
  )
}

function TextMarking({ request: { client, texts, answeredAt } }: { request: Request }) {
  const { t } = useLingui()
  const [marks, setMarks] = useState<Readonly<Record<string, Mark>>>({})
  const [isChecked, setChecked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const left = texts.filter(({ id }) => marks[id] === undefined).length
  const proceed = () => {
    if (left === 0) return setOpen(true)
    setChecked(true)
    // The errors are rendered first.
    requestAnimationFrame(() => focusFirstError(list.current))
  }
  return (
    <OfficePage
      bar={
        <DecisionBar
          sentence={
            left === 0
              ? t`The answer is a ZIP file with the client’s own data and the texts that you disclose.`
              : t`Texts still to mark: ${left}.`
          }
        >
          <Button kind="primary" onClick={proceed}>{t`Create answer…`}</Button>
        </DecisionBar>
      }
    >
      <PageHeader title={t`Access request`} section={<Link href={officePaths.client(client.id)}>{client.name}</Link>}>
        <Trans>Read each comment and note of staff, and mark what the client receives.</Trans>
      </PageHeader>
      <div className="stack">
        <Alert title={<Trans>Withhold</Trans>}>
          {t`Anything about screening, a hold, a report to an authority, or another person. Names of staff are left out.`}
        </Alert>
        {answeredAt && (
          <p className="muted">
            <Trans>
              Last answered <Time at={answeredAt} />.
            </Trans>
          </p>
        )}
        {texts.length === 0 ? (
          <p>{t`Staff have not written any comments or notes about this client.`}</p>
        ) : (
          <ol className="access-texts" ref={list}>
            {texts.map((text) => (
              <li key={text.id}>
                <OneText
                  text={text}
                  mark={marks[text.id] ?? null}
                  isMissing={isChecked && marks[text.id] === undefined}
                  onMark={(mark) => setMarks({ ...marks, [text.id]: mark })}
                />
              </li>
            ))}
          </ol>
        )}
      </div>
      {isOpen && <SaveAnswer client={client} texts={texts} marks={marks} onClose={() => setOpen(false)} />}
    </OfficePage>
  )
}

interface OneTextProps {
  text: StaffText
  mark: Mark | null
  isMissing: boolean
  onMark: (mark: Mark) => void
}

function OneText({ text: { kind, about, by, at, text, topics, marked }, mark, isMissing, onMark }: OneTextProps) {
  const { t } = useLingui()
  const record = useRecordLabel()
  const topicLabels: Readonly<Record<WithheldTopic, string>> = {
    screening: t`May be about screening`,
    hold: t`May be about a hold`,
    report: t`May be about a report`,
    person: t`May name another person`,
  }
  const kinds = { comment: t`Comment`, snooze: t`Snooze note`, note: t`Note` } as const
  const title = about === null ? kinds[kind] : `${kinds[kind]} · ${record(about)}`
  const label = by ? t`${title} by ${by.name}` : title
  return (
    <div className="stack-2">
      <p className="row between wrap">
        <b className="strong">{label}</b>
        <span className="muted">
          <Time at={at} />
        </span>
      </p>
      <p className="access-text">
        <UserText>{text}</UserText>
      </p>
      {(topics.length > 0 || marked) && (
        <p className="row wrap">
          {topics.map((topic) => (
            <span key={topic} className="tag wait">
              {topicLabels[topic]}
            </span>
          ))}
          {marked && (
            <span className="tag">
              {marked === 'handedOut' ? <Trans>Disclosed before</Trans> : <Trans>Withheld before</Trans>}
            </span>
          )}
        </p>
      )}
      <RadioCards
        label={t`For the client`}
        across={2}
        short
        tiles={[
          { value: 'handedOut', label: t`Disclose` },
          { value: 'withheld', label: t`Withhold` },
        ]}
        value={mark}
        onValue={onMark}
        error={isMissing ? t`Mark this text.` : undefined}
      />
    </div>
  )
}

interface SaveAnswerProps {
  client: Request['client']
  texts: readonly StaffText[]
  marks: Readonly<Record<string, Mark>>
  onClose: () => void
}

function SaveAnswer({ client: { id, number, name }, texts, marks, onClose }: SaveAnswerProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const marked = (mark: Mark) => texts.filter((text) => marks[text.id] === mark).map((text) => text.id)
  const [handedOut, withheld] = [marked('handedOut'), marked('withheld')]
  const path = answerAccessRequest.path.replace(':id', encodeURIComponent(id))
  const saving = useMutation({
    mutationFn: (reason: string) => saveFile(path, `access-request-${number}.zip`, { reason, handedOut, withheld }),
    onSuccess: () => {
      showToast(() => t`The answer has been saved. Send it to the client.`)
      onClose()
    },
    onSettled: () => void refreshEndpoints(queries, [getAccessRequest, getClientEvents]),
  })
  const [given, kept] = [handedOut.length, withheld.length]
  return (
    <ReasonDialog
      title={<Trans>Answer access request</Trans>}
      command={<Trans>Answer request</Trans>}
      pending={saving.isPending}
      failure={saving.error}
      onClose={onClose}
      onConfirm={(reason) => saving.mutate(reason)}
    >
      <p>
        <Trans>
          A ZIP file with the data of {name}. Texts disclosed: {given}. Texts withheld: {kept}. Your marks and your
          reason are logged.
        </Trans>
      </p>
    </ReasonDialog>
  )
}
