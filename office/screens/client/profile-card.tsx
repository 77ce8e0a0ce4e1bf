import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OfficeClient } from '#contract/office/clients.ts'
import { officePaths } from '#contract/office-paths.ts'
import { ageOn, dayIn, dayOf } from '#rules/dates.ts'
import { fieldsOfStep, nameFields } from '#rules/profile-fields.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Time } from '#ui/text/time.tsx'
import { useStaff } from '../../session.ts'
import { FormerValue } from './changed.tsx'
import { canRequestEmailChange } from './email-change.tsx'
import { useFieldLabel, useValueText } from './field-labels.ts'

/** A summary of the client's profile; the full profile with corrections is a separate tab. */
export function ProfileCard({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const word = useFieldLabel()
  const text = useValueText()
  const field = (name: string) => client.profile.find((one) => one.field === name)
  const value = (name: string) => text(name, field(name)?.value ?? null)
  const given = (names: readonly string[]) => names.flatMap((name) => (field(name)?.value ? [value(name)] : []))
  // A word joiner keeps the two ends of a range together.
  const money = given(['annualSalary', 'savings']).join(' · ').replaceAll('–', '\u2060–\u2060')
  const changes = client.profile.filter(({ previous }) => previous !== null).length
  const withFormerValues = (names: readonly string[], shown: ReactNode) => (
    <>
      {shown}
      {names.map((name) => {
        const found = field(name)
        return found ? <FormerValue key={name} field={found} /> : null
      })}
    </>
  )
  return (
    <section className="sheet">
      <header>
        <h2>{t`Profile`}</h2>
        <Link href={`${officePaths.client(client.id)}?tab=profile`}>
          <Plural
            value={changes}
            _0="All fields"
            one="# change since registration"
            other="# changes since registration"
          />
        </Link>
      </header>
      <div className="client-facts">
        <DescriptionList
          rows={[
            { key: <Trans>Title, name</Trans>, value: withFormerValues(nameFields, given(nameFields).join(' ')) },
            {
              key: word('birthDate'),
              value: withFormerValues(
                ['birthDate'],
                <>
                  {value('birthDate')}
                  <Age born={field('birthDate')?.value ?? null} />
                </>,
              ),
            },
            { key: word('nationality'), value: withFormerValues(['nationality'], value('nationality')) },
            {
              key: word('email'),
              value: withFormerValues(
                ['email'],
                <>
                  {value('email')}
                  <MailRejectedAlert client={client} />
                </>,
              ),
            },
            { key: word('mobilePhone'), value: withFormerValues(['mobilePhone'], value('mobilePhone')) },
          ]}
        />
        <DescriptionList
          rows={[
            {
              key: <Trans>Address</Trans>,
              value: withFormerValues(
                fieldsOfStep('2.3'),
                <>
                  {given(['addressNo', 'address']).join(' ')}
                  <br />
                  {[given(['postcode', 'city']).join(' '), given(['county']).join(''), value('country')]
                    .filter(Boolean)
                    .join(', ')}
                </>,
              ),
            },
            { key: <Trans>Industry, position</Trans>, value: given(['industry', 'position']).join(', ') || '–' },
            { key: <Trans>Salary, savings</Trans>, value: money === '' ? '–' : `${money} GBP` },
          ]}
        />
      </div>
    </section>
  )
}

/** The client's age today, in the firm's time zone. */
function Age({ born }: { born: string | null }) {
  const { firm } = useStaff()
  const day = born === null ? null : dayOf(born)
  if (day === null) return null
  const years = ageOn(day, dayIn(new Date(), firm.timeZone))
  return (
    <span className="muted">
      {' · '}
      <Plural value={years} one="# year old" other="# years old" />
    </span>
  )
}

/** Warns staff that the client's email address does not accept mail. */
function MailRejectedAlert({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const { id, mailRefusedAt } = client
  if (!mailRefusedAt) return null
  return (
    <p className="tone-bad">
      <Trans>
        Our last email was rejected: <Time at={mailRefusedAt} />.{' '}
        <Link href={`${officePaths.client(id)}?tab=mails`}>View emails</Link>
      </Trans>
      {canRequestEmailChange(client) && (
        <>
          {' · '}
          <Link href={`${officePaths.client(id)}?tab=profile`}>{t`Request email change`}</Link>
        </>
      )}
    </p>
  )
}
