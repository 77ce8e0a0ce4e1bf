import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getProfessional, type ProfessionalApplication } from '#contract/office/professional.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useChoiceLabel } from '#ui/text/choice-labels.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Time } from '#ui/text/time.tsx'
import { ClientFacts, recordScreen } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { RecordPage } from '../../decision/record-page.tsx'
import { useDecision } from '../../decision/decision.tsx'
import { useFieldLabel } from '../client/field-labels.ts'
import { Criteria } from './criteria.tsx'
import { isOpenApplication, useApplicationDecisions } from './use-application-decisions.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { Quoted } from '../../records/quoted.tsx'
import './professional.css'

/** One application: how many of the three criteria are met, each answer beside its evidence. */
export default recordScreen(getProfessional, ({ application }) => <Page application={application} />)

function Page({ application }: { application: ProfessionalApplication }) {
  const { t } = useLingui()
  const deciding = useDecision('professional', officePaths.professional)
  const [accounts, setAccounts] = useState(() => initialAccounts(application))
  const decisions = useApplicationDecisions(application, accounts)
  const { client, state } = application
  const open = state === 'pending' || state === 'more_asked'
  // Every application has answers: only an erasure removes them.
  const erased = Object.keys(application.answers).length === 0
  return (
    <RecordPage
      kind="professional"
      record={application}
      section={
        <>
          <Trans>Professional application</Trans> · {client.name}
        </>
      }
      title={client.name}
      heading={
        <h1>{erased ? <Trans>The answers have been erased</Trans> : <CriteriaMet application={application} />}</h1>
      }
      deciding={deciding}
      decisions={decisions}
      sentence={<DecisionEffect application={application} />}
    >
      {!erased && <Criteria application={application} />}
      <AccountsToChange accounts={application.accounts} chosen={accounts} onChosen={open ? setAccounts : undefined} />
      <div className="columns-2">
        <Profile application={application} />
        <ClientFacts client={client} />
      </div>
      {application.answers.question08 !== undefined && application.answers.question08 !== '' && (
        <RecordSection title={t`Client’s description of experience`}>
          <p className="measure application-words">{application.answers.question08}</p>
        </RecordSection>
      )}
      {application.earlier.length > 0 && <EarlierApplications earlier={application.earlier} />}
    </RecordPage>
  )
}

/** Explains the consequences of a decision. */
function DecisionEffect({ application: { client, state } }: { application: ProfessionalApplication }) {
  if (isOpenApplication(state))
    return (
      <Trans>
        <b>Categorise as professional</b> to give {client.name} and the selected accounts professional status. The
        client is notified and loses retail protections.
      </Trans>
    )
  return (
    <Trans>
      <b>Recategorise as retail</b> to end professional status for the client and accounts. The client gets your reason.
    </Trans>
  )
}

function CriteriaMet({ application: { passed, enough } }: { application: ProfessionalApplication }) {
  return (
    <Trans>
      <span className={enough ? 'tone-ok' : 'tone-bad'}>{passed} of 3</span> criteria met based on the answers
    </Trans>
  )
}

/** Returns the accounts that the client chose; without a choice none, so that staff choose. */
function initialAccounts({ accounts }: ProfessionalApplication): readonly string[] {
  return accounts.filter(({ chosen }) => chosen).map(({ id }) => id)
}

/** The client's employment, financial and trading data that the application is assessed against, with its date. */
function Profile({ application: { employment, experience, saidAgainAt } }: { application: ProfessionalApplication }) {
  const { t } = useLingui()
  const word = useFieldLabel()
  const choiceWord = useChoiceLabel()
  // Both forms have a field "experience".
  const rows = (values: Record<string, string> | null, experienceField: string) =>
    Object.entries(values ?? {}).map(([field, value]) => ({
      key: word(field === 'experience' ? experienceField : field),
      value: value === '' ? '–' : choiceWord(value),
    }))
  const all = [...rows(employment, 'financialExperience'), ...rows(experience, 'tradingExperience')]
  return (
    <RecordSection title={<Trans>Profile information</Trans>}>
      {all.length > 0 ? (
        <>
          <DescriptionList rows={all} />
          <p className={saidAgainAt ? 'tone-wait size-12 read-at' : 'muted size-12 read-at'}>
            {saidAgainAt ? (
              <Trans>
                Last changed by the client on <Time at={saidAgainAt} /> after registration.
              </Trans>
            ) : (
              <Trans>As stated at registration.</Trans>
            )}
          </p>
        </>
      ) : (
        <p className="muted">{t`No information recorded.`}</p>
      )}
    </RecordSection>
  )
}

/** Earlier applications of the same client, with their outcome. */
function EarlierApplications({ earlier }: Pick<ProfessionalApplication, 'earlier'>) {
  return (
    <RecordSection title={<Trans>Previous applications</Trans>}>
      <ul className="earlier-applications">
        {earlier.map(({ id, state, submittedAt, reason }) => (
          <li key={id}>
            <Link href={officePaths.professionalApplication(id)}>
              <Time at={submittedAt} form="day" />
            </Link>{' '}
            <StatusBadge record="professional" state={state} />
            {reason !== null && reason !== '' && (
              <span className="muted">
                {' '}
                <Quoted>{reason}</Quoted>
              </span>
            )}
          </li>
        ))}
      </ul>
    </RecordSection>
  )
}

interface AccountsToChangeProps {
  accounts: ProfessionalApplication['accounts']
  chosen: readonly string[]
  /** Omitted once it is decided. */
  onChosen?: ((ids: readonly string[]) => void) | undefined
}

/** The client's live accounts, and which of them an approval makes professional. */
function AccountsToChange({ accounts, chosen, onChosen }: AccountsToChangeProps) {
  const { t } = useLingui()
  const line = ({
    number,
    platform,
    type,
    currency,
    leverage,
    clientStatus,
    groupMissing,
  }: ProfessionalApplication['accounts'][number]) => (
    <>
      <span className="strong numbers unbroken">{number === null ? '–' : groupedByFour(number)}</span> {platform} ·{' '}
      {type} · {currency} · <span className="numbers">{leverageText(leverage)}</span> ·{' '}
      {clientStatus === 'professional' ? t`Professional` : t`Retail`}
      {groupMissing && (
        <>
          {' · '}
          <span className="tone-wait strong">{t`no platform group`}</span>
        </>
      )}
    </>
  )
  if (accounts.length === 0)
    return (
      <RecordSection title={<Trans>Accounts</Trans>}>
        <p className="muted">{t`The client has no live account. Only the client’s status changes.`}</p>
      </RecordSection>
    )
  return (
    <RecordSection
      title={onChosen ? <Trans>Accounts to categorise as professional</Trans> : <Trans>Live accounts</Trans>}
    >
      <ul className="accounts-to-change">
        {accounts.map((account) => (
          <li key={account.id}>
            {onChosen ? (
              <Checkbox
                checked={chosen.includes(account.id)}
                onChange={({ target }) =>
                  onChosen(target.checked ? [...chosen, account.id] : chosen.filter((id) => id !== account.id))
                }
              >
                {line(account)}
              </Checkbox>
            ) : (
              line(account)
            )}
          </li>
        ))}
      </ul>
    </RecordSection>
  )
}
