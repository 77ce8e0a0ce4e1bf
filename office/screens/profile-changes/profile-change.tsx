import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { profileLabels } from '#contract/profile-labels.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { approveProfileChange, getProfileChange, rejectProfileChange } from '#contract/office/profile-changes.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { call } from '#ui/api/call.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { ClientFacts, recordScreen } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { useDecision, approval, rejection } from '../../decision/decision.tsx'
import { ImageViewer } from '../../decision/image-viewer.tsx'
import { RecordPage } from '../../decision/record-page.tsx'
import { useChangedValue } from '../../records/changed-fields.ts'
import { useStateLabel } from '../../records/value-names.ts'
import { useCanRead } from '../../session.ts'
import '../bank-details/bank-details.css'

type Change = ResponseOf<typeof getProfileChange>['change']

/** One change of identity data: old and new value, with the documents that can prove it. */
export default recordScreen(getProfileChange, ({ change }) => <Page change={change} />)

function Page({ change }: { change: Change }) {
  const { t } = useLingui()
  const field = useLabels(profileLabels)(change.field)
  const value = useChangedValue()
  const documentWord = useDocumentLabel()
  const stateWord = useStateLabel()
  const deciding = useDecision('profile_change', officePaths.profileChanges)
  const decisions = useDecisions(change)
  const maySee = useCanRead('pictures')
  const { client } = change
  const to = value(change.field, change.to)
  // Beside the approved document there may be a newer one that shows the new value.
  const sides = change.documents.flatMap(({ fileId, filename, kind, pages, state }) =>
    fileId === null
      ? []
      : [
          {
            fileId,
            filename: filename ?? kind,
            pages,
            name: `${documentWord(kind)} · ${stateWord('document', state)}`,
          },
        ],
  )
  return (
    <RecordPage
      kind="profile_change"
      record={change}
      section={
        <>
          <Trans>Profile change</Trans> · {field}
        </>
      }
      title={`${field}: ${to}`}
      heading={
        <h1 className="change-row">
          <del>{value(change.field, change.from)}</del> <span>→</span> {to}
        </h1>
      }
      deciding={deciding}
      decisions={decisions}
      sentence={
        change.state === 'confirming' ? (
          <Trans>
            <b>Reject</b> to cancel the link and keep the old address.
          </Trans>
        ) : change.field === 'email' ? (
          <Trans>
            <b>Approve</b> to email a link to {to}. After opening it, {client.name} can log in only with that address.
          </Trans>
        ) : (
          <Trans>
            <b>Approve</b> to save {to} in the profile. {client.name} will be notified.
          </Trans>
        )
      }
    >
      {change.askedBy && <StaffRequestAlert change={change} askedBy={change.askedBy} />}
      {change.risk && <Risk risk={change.risk} />}
      {change.affects.length > 0 && <Effects effects={change.affects} />}
      {change.field === 'email' ? (
        <ClientFacts client={client} />
      ) : (
        <div className="bank-split">
          {sides.length > 0 && maySee ? (
            <ImageViewer sides={sides} />
          ) : (
            <RecordSection title={<Trans>Documents</Trans>}>
              <p className="muted">{t`No image to display.`}</p>
            </RecordSection>
          )}
          <ClientFacts client={client} />
        </div>
      )}
    </RecordPage>
  )
}

/** The staff member who requested it, how the caller was identified, and what an approved address still waits for. */
function StaffRequestAlert({ change, askedBy }: { change: Change; askedBy: NonNullable<Change['askedBy']> }) {
  const { t } = useLingui()
  const { state, askedReason, createdAt } = change
  return (
    <Alert kind={state === 'confirming' ? 'wait' : 'plain'}>
      <p>
        <Trans>
          {askedBy.name}, <Time at={createdAt} />: {askedReason}
        </Trans>
      </p>
      {state === 'confirming' && (
        <p>{t`We have emailed a link to the new address. The old address stays active until the link is opened.`}</p>
      )}
    </Alert>
  )
}

function Risk({ risk }: { risk: NonNullable<Change['risk']> }) {
  const worse = risk.toLevel > risk.fromLevel || !risk.toAvailable
  return (
    <Alert kind={worse ? 'wait' : 'plain'}>
      <Trans>
        Risk level {risk.fromLevel} → {risk.toLevel}.
      </Trans>{' '}
      {!risk.toAvailable && <Trans>We do not serve clients in the new country.</Trans>}
    </Alert>
  )
}

/** Further effects of an approval. */
function Effects({ effects }: { effects: Change['affects'] }) {
  return (
    <RecordSection title={<Trans>Effects of the change</Trans>}>
      <ul className="stack-2">
        {effects.map((effect) => (
          <li key={effect.code}>
            <EffectLabels effect={effect} />
          </li>
        ))}
      </ul>
    </RecordSection>
  )
}

function useDecisions({ id, version, client, field, from, to }: Change) {
  const { t } = useLingui()
  const fieldWord = useLabels(profileLabels)
  const value = useChangedValue()
  return [
    rejection('profile_change', t`Reject the change of ${client.name}`, (texts) =>
      call(rejectProfileChange, { id, version, ...texts }),
    ),
    approval({
      label: t({ message: 'Approve', context: 'application' }),
      title: t`Approve profile change`,
      lines: [
        { label: t`Client`, value: client.name },
        { label: fieldWord(field), value: `${value(field, from)} → ${value(field, to)}` },
      ],
      words: 'none',
      send: () => call(approveProfileChange, { id, version }),
    }),
  ]
}

type Effect = ResponseOf<typeof getProfileChange>['change']['affects'][number]

/** One effect of an approval as a sentence. */
function EffectLabels({ effect: { code, count } }: { effect: Effect }) {
  switch (code) {
    case 'documents-with-old-value':
      return (
        <Plural
          value={count}
          one="# approved document shows the previous value."
          other="# approved documents show the previous value."
        />
      )
    case 'documents-not-accepted':
      return (
        <Plural
          value={count}
          one="# approved document is of a type that the new country’s risk level does not accept."
          other="# approved documents are of types that the new country’s risk level does not accept."
        />
      )
    case 'bank-holder':
      return (
        <Plural
          value={count}
          one="# approved bank account gets the new account holder name."
          other="# approved bank accounts get the new account holder name."
        />
      )
    case 'payouts-under-old-name':
      return (
        <Plural
          value={count}
          one="# open withdrawal keeps the previous name."
          other="# open withdrawals keep the previous name."
        />
      )
    case 'wires-compared':
      return (
        <Plural
          value={count}
          one="The payer of # expected bank transfer is compared with the new name."
          other="The payers of # expected bank transfers are compared with the new name."
        />
      )
    case 'accounts-under-old-name':
      return (
        <Plural
          value={count}
          one="# trading account keeps the previous name on its platform."
          other="# trading accounts keep the previous name on their platforms."
        />
      )
    case 'methods-of-country':
      return <Trans>Payment methods of the new country apply to deposits and withdrawals.</Trans>
  }
}
