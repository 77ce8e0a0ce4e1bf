import { useMutation } from '@tanstack/react-query'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { IconDownload } from '@tabler/icons-react'
import { portalPaths } from '#contract/portal-paths.ts'
import {
  profile,
  updateTradingExperience,
  type ProfileData,
  updateEmploymentIncome,
  downloadMyData,
} from '#contract/profile.ts'
import { ButtonLink, Button } from '#ui/forms/button.tsx'
import { Accordion } from '#ui/data/disclosure.tsx'
import { failedRead, useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import type { InputOf } from '#ui/api/call.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { useChoiceLabel } from '#ui/text/choice-labels.ts'
import { useFormValues } from '#ui/forms/form-state.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { saveFile } from '#ui/api/upload.ts'
import { useCountriesQuery } from '../../portal-settings.ts'
import { EmailText } from '#ui/text/email-link.tsx'
import { PersonalSection } from './personal-section.tsx'
import { Security } from './security.tsx'
import { ExperienceFields } from './experience-fields.tsx'
import { EmploymentFields, FinancialFields } from './income-fields.tsx'
import { EditSection, ReadSection } from './section.tsx'
import { openPanel } from '../../layout/panel.ts'
import './profile.css'

const addressed = z.object({
  section: z._default(z.enum(['personal', 'employment', 'experience', 'security', 'data']), 'personal'),
})

/** Sections are read-only until edited; one is open at a time. */
export default function Profile() {
  const { t } = useLingui()
  const [{ section }] = useUrlState(addressed)
  const read = useEndpoint(profile, {})
  const countriesRead = useCountriesQuery()
  const failed = failedRead(read, countriesRead)
  const { data } = read
  const countries = countriesRead.data?.countries
  return (
    <>
      <PageHeader title={t`Profile`} action={<ButtonLink href={portalPaths.documents}>{t`Documents`}</ButtonLink>}>
        <Trans>Your details and security settings.</Trans>
      </PageHeader>
      {failed ? (
        <ErrorPanel failure={failed.failure} onRetry={failed.again} />
      ) : data && countries ? (
        <div className="profile">
          <Accordion
            key={section}
            initial={section}
            sections={[
              {
                key: 'personal',
                title: <Trans>Personal details</Trans>,
                children: <PersonalSection data={data} countries={countries} />,
              },
              {
                key: 'employment',
                title: <Trans>Employment & financial info</Trans>,
                children: <EmploymentSection income={data.employmentIncome} />,
              },
              {
                key: 'experience',
                title: <Trans>Trading experience</Trans>,
                children: <ExperienceSection experience={data.tradingExperience} />,
              },
              {
                key: 'security',
                title: <Trans>Security</Trans>,
                children: <Security secondFactor={data.user.secondFactor} />,
              },
              {
                key: 'data',
                title: <Trans>Notifications and data</Trans>,
                children: <NotificationsAndData user={data.user} />,
              },
            ]}
          />
        </div>
      ) : (
        <Skeleton width={320} height={24} />
      )}
    </>
  )
}

/** Trading experience: five fields, all required. */
function ExperienceSection({ experience }: { experience: ProfileData['tradingExperience'] }) {
  const { t } = useLingui()
  const save = useEndpointMutation(updateTradingExperience, { refreshes: [profile] })
  return (
    <ChoicesSection
      names={{
        experience: t`Traded CFDs or forex before`,
        requiredMargin: t`Share used as margin`,
        closingOrderType: t`Preferred closing method`,
        leverage: t`Preferred leverage`,
        reactionToLoss: t`Dealing with losses`,
      }}
      kept={experience}
      fields={(form) => <ExperienceFields form={form} />}
      // The server checks each word against its list.
      save={(chosen, callbacks) => save.mutate(chosen as InputOf<typeof updateTradingExperience>, callbacks)}
      pending={save.isPending}
      error={save.error}
    />
  )
}

/** Employment & financial info: six fields, all required. */
function EmploymentSection({ income }: { income: ProfileData['employmentIncome'] }) {
  const { t } = useLingui()
  const save = useEndpointMutation(updateEmploymentIncome, { refreshes: [profile] })
  return (
    <ChoicesSection
      names={{
        industry: t`Industry`,
        position: t`Position`,
        fundSource: t`Source of funds`,
        annualSalary: t`Annual salary in GBP`,
        savings: t`Savings in GBP`,
        experience: t`Experience with financial products`,
      }}
      kept={income}
      fields={(form) => (
        <>
          <EmploymentFields form={form} />
          <FinancialFields form={form} />
        </>
      )}
      // The server checks each word against its list.
      save={(chosen, callbacks) => save.mutate(chosen as InputOf<typeof updateEmploymentIncome>, callbacks)}
      pending={save.isPending}
      error={save.error}
    />
  )
}

type Words<Field extends string> = Record<Field, string>

interface ChoicesSectionProps<Field extends string> {
  /** Labels of the fields, in reading order. */
  names: Words<Field>
  /** The saved values; null before the first save. */
  kept: Words<Field> | null
  /** The form's fields. */
  fields: (form: ReturnType<typeof useFormValues<Words<Field>>>) => ReactNode
  save: (chosen: Words<Field>, callbacks: { onSuccess: () => void; onError: (thrown: Error) => void }) => void
  pending: boolean
  error: Error | null
}

/** A section of required choice fields: read-only until edited. */
function ChoicesSection<Field extends string>(section: ChoicesSectionProps<Field>) {
  const word = useChoiceLabel()
  const [editing, setEditing] = useState(false)
  if (editing) return <ChoicesForm {...section} onClose={() => setEditing(false)} />
  const { names, kept } = section
  return (
    <ReadSection
      onEdit={() => setEditing(true)}
      rows={fieldsOf(names).map((field) => ({ key: names[field], value: kept ? word(kept[field]) : '–' }))}
    />
  )
}

function ChoicesForm<Field extends string>(section: ChoicesSectionProps<Field> & { onClose: () => void }) {
  const { names, kept, fields, save, pending, error, onClose } = section
  const { t } = useLingui()
  const form = useFormValues(kept ?? emptyValuesOf(names))
  const done = () => {
    showToast(() => t`Saved.`)
    onClose()
  }
  return (
    <EditSection
      formRef={form.ref}
      onSave={() => save(form.values, { onSuccess: done, onError: form.refuse })}
      onCancel={onClose}
      pending={pending}
      error={error}
    >
      {fields(form)}
    </EditSection>
  )
}

function fieldsOf<Field extends string>(names: Words<Field>): Field[] {
  return Object.keys(names) as Field[]
}

function emptyValuesOf<Field extends string>(names: Words<Field>): Words<Field> {
  return Object.fromEntries(fieldsOf(names).map((field) => [field, ''])) as Words<Field>
}

/** The address of emails, the way to their language, and the download of the client's data. */
function NotificationsAndData({ user }: { user: ProfileData['user'] }) {
  const { t } = useLingui()
  return (
    <>
      <section className="profile-block">
        <h3 className="title-4">{t`Notifications`}</h3>
        <p className="muted size-14">
          <Trans>
            We email <EmailText address={user.email} /> about every decision on your documents, accounts and money. You
            also get a notification here. You cannot turn these emails off. We send no other emails.
          </Trans>
        </p>
        <div className="size-14">
          <button type="button" className="text-button" aria-haspopup="dialog" onClick={() => openPanel('display')}>
            <Trans>Language and appearance</Trans>
          </button>
        </div>
      </section>
      <section className="profile-block">
        <h3 className="title-4">{t`Your data`}</h3>
        <p className="muted size-14">{t`All your data and documents in a ZIP file.`}</p>
        <Download />
      </section>
    </>
  )
}

function Download() {
  const { t } = useLingui()
  const { error, isPending, mutate } = useMutation({ mutationFn: () => saveFile(downloadMyData.path, 'my-data.zip') })
  return (
    <div className="stack">
      {error && <Alert kind="bad">{error instanceof ApiError ? error.error : t`Something went wrong!`}</Alert>}
      <Button
        size="small"
        icon={<IconDownload className="small" aria-hidden="true" />}
        pending={isPending}
        onClick={() => mutate()}
      >
        <Trans>Download my data</Trans>
      </Button>
    </div>
  )
}
