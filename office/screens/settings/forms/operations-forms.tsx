/** Forms of the firm's operations: services, platforms, access, limits, checks. */
import { securityDurations } from '#contract/setting-sections.ts'
import { currencies } from '#rules/money.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { emptyTexts, namesAt, textAt, useDraft } from '../draft.ts'
import { NumberAt, SeverityAt, TextAt, TickAt, useListAt } from '../fields.tsx'

export function WindDownForm() {
  const { t } = useLingui()
  return (
    <>
      <TickAt path="deposits">{t`No new deposits`}</TickAt>
      <TickAt path="newAccounts">{t`No new trading accounts`}</TickAt>
      <TickAt path="leverage">{t`No higher leverage`}</TickAt>
    </>
  )
}

export function PayoutsForm() {
  const { t } = useLingui()
  return (
    <>
      <TickAt path="byUninvolved">{t`A batch is released by a person who has neither entered nor approved any of its payments`}</TickAt>
      <NumberAt
        path="recoveryBankingDays"
        hint={<Trans>Number of banking days that bank statements must cover after a recovery begins.</Trans>}
      />
      {currencies.map((currency) => (
        <TextAt
          key={currency}
          path={`cutOff.${currency}`}
          label={t`Cut-off time in ${currency}`}
          hint={t`Latest time at which the bank accepts a payout file on a working day, for example 14:00, in the time zone of the firm.`}
          optional
        />
      ))}
    </>
  )
}

export function ProfessionalForm() {
  const { t } = useLingui()
  return <TickAt path="applicationsOpen">{t`Clients can apply for professional status`}</TickAt>
}

export function PlatformsForm() {
  const { t } = useLingui()
  const { value } = useDraft()
  return namesAt(value, '').map((platform) => (
    <div key={platform} className="settings-group">
      <h2 className="title-3">{platform}</h2>
      <TextAt path={`${platform}.liveServer`} label={t`Live server`} />
      <TextAt path={`${platform}.demoServer`} label={t`Demo server`} />
      <TickAt path={`${platform}.open`}>{t`New accounts can be opened`}</TickAt>
      {namesAt(value, platform).includes('clock') && <ClockBefore path={`${platform}.clock`} />}
    </div>
  ))
}

/** The server's clock before its first reading. */
function ClockBefore({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <>
      <h3 className="title-3">{t`Server clock before the first reading`}</h3>
      <p className="muted">
        <Trans>
          The server’s clock is read every 15 minutes. Earlier days use this time zone. If it is empty, they use the
          first reading. Trades that have already been read keep their times.
        </Trans>
      </p>
      <div className="columns-2">
        <TextAt path={`${path}.timeZone`} label={t`Time zone`} hint={t`For example Europe/Athens or +02:00`} optional />
        <NumberAt
          path={`${path}.hoursAhead`}
          label={t`Hours ahead of the time zone`}
          hint={t`For example 7 with America/New_York`}
        />
      </div>
    </>
  )
}

export function SecurityForm() {
  const { t } = useLingui()
  const { language } = useDraft()
  const questions = useListAt('questions')
  return (
    <>
      <div className="columns-2">
        <NumberAt path="passwordLengthMin" />
        <NumberAt path="staffPasswordLengthMin" />
        {[...securityDurations, 'proofMinutes'].map((path) => (
          <NumberAt key={path} path={path} />
        ))}
      </div>
      <TickAt path="plainPasswords">
        <Trans>Accept unencrypted passwords from API callers without a browser</Trans>
      </TickAt>
      <h2 className="title-3">{t`Security questions`}</h2>
      {questions.list.map((question, index) => (
        <div key={textAt(question, 'id') || index} className="stack-2" data-path={`questions.${index}`}>
          <TextAt path={`questions.${index}.text.${language}`} label={t`Question ${index + 1}`} />
          {questions.list.length > 1 && (
            <button type="button" className="text-button" onClick={() => questions.remove(index)}>
              <Trans>Remove question {index + 1}</Trans>
            </button>
          )}
        </div>
      ))}
      <Button
        size="small"
        onClick={() => questions.add({ id: `question-${Date.now().toString(36)}`, text: emptyTexts() })}
      >
        <Trans>Add question</Trans>
      </Button>
    </>
  )
}

export function RateLimitsForm() {
  const { value } = useDraft()
  return namesAt(value, '').map((path) => <NumberAt key={path} path={path} />)
}

/** Who sees the report of decisions by person, in addition to administrators. */
export function DecisionsByPersonForm() {
  const { t } = useLingui()
  const heads = [
    ['documents', t`Email of the head of documents`],
    ['clients', t`Email of the head of clients`],
    ['money', t`Email of the head of payments`],
    ['enquiries', t`Email of the head of enquiries`],
    ['other', t`Email of the head of other queues`],
  ] as const
  return (
    <>
      <TickAt path="shown">{t`Show decisions by person in reports`}</TickAt>
      {heads.map(([path, label]) => (
        <TextAt key={path} path={path} label={label} optional />
      ))}
    </>
  )
}

export function ChecksForm() {
  return (
    <>
      <SeverityAt path="identityExpired" />
      <NumberAt path="proofOfAddressMonths" hint={<Trans>0 turns off the age check.</Trans>} />
      <NumberAt path="marginLevelMin" hint={<Trans>0 turns off the margin level check.</Trans>} />
      <NumberAt path="signInChangeHours" />
      <SeverityAt path="signInChange" />
    </>
  )
}
