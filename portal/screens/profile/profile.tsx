import { Trans, useLingui } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { profile, updateTradingExperience, type ProfileData, updateEmploymentIncome } from '#contract/profile.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Accordion } from '#ui/data/disclosure.tsx'
import { failedRead, useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useCountriesRead } from '../../portal-settings.ts'
import { LanguageAndData } from './language-and-data.tsx'
import { PersonalSection } from './personal-section.tsx'
import { Security } from './security.tsx'
import type { InputOf } from '#ui/api/call.ts'
import { ChoicesSection } from './choices-section.tsx'
import { ExperienceFields } from './experience-fields.tsx'
import { EmploymentFields, FinancialFields } from './income-fields.tsx'
import './profile.css'

/** Read first, edit on demand; one section open at a time. */
export default function Profile() {
  const { t } = useLingui()
  const read = useEndpoint(profile, {})
  const countriesRead = useCountriesRead()
  const failed = failedRead(read, countriesRead)
  const { data } = read
  const countries = countriesRead.data?.countries
  return (
    <>
      <PageHeader
        title={t`Profile`}
        action={
          <ButtonLink href={portalPaths.documents}>
            <Trans>Documents</Trans>
          </ButtonLink>
        }
      >
        <Trans>Your details and security settings.</Trans>
      </PageHeader>
      {failed ? (
        <ErrorPanel failure={failed.failure} onRetry={failed.again} />
      ) : data && countries ? (
        <div className="profile">
          <Accordion
            initial="personal"
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
                key: 'language',
                title: <Trans>Notifications, language and data</Trans>,
                children: <LanguageAndData user={data.user} />,
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
        experience: t`Has traded CFDs or forex`,
        requiredMargin: t`Share used as margin`,
        closingOrderType: t`Closing method`,
        leverage: t`Leverage that suits`,
        reactionToLoss: t`Dealing with losses`,
      }}
      kept={experience}
      fields={(form) => <ExperienceFields form={form} />}
      // The server checks each word against its list.
      save={(chosen, told) => save.mutate(chosen as InputOf<typeof updateTradingExperience>, told)}
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
      save={(chosen, told) => save.mutate(chosen as InputOf<typeof updateEmploymentIncome>, told)}
      pending={save.isPending}
      error={save.error}
    />
  )
}
