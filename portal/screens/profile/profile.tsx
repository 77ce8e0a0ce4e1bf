import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '#contract/endpoint.ts'
import { profile } from '#contract/profile.ts'
import { Accordion } from '#ui/disclosure.tsx'
import { useEndpoint } from '#ui/endpoint-query.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useCountries } from '../../portal-settings.ts'
import { EmploymentSection } from './employment-section.tsx'
import { ExperienceSection } from './experience-section.tsx'
import { LanguageAndData } from './language-and-data.tsx'
import { PersonalSection } from './personal-section.tsx'
import './profile.css'
import { Security } from './security.tsx'

export type ProfileData = AnswerOf<typeof profile>

/** Read first, edit on demand; one section open at a time. */
export default function Profile() {
  const { t } = useLingui()
  const { data, error, refetch } = useEndpoint(profile, {})
  const countries = useCountries()
  return (
    <>
      <PageHeader title={t`Profile`}>
        <Trans>What we know of you, and how your access is protected.</Trans>
      </PageHeader>
      {error && !data ? (
        <ErrorPanel failure={error} onRetry={() => void refetch()} />
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
