import { Trans, useLingui } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { profile } from '#contract/profile.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Accordion } from '#ui/data/disclosure.tsx'
import { failedRead, useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useCountriesRead } from '../../portal-settings.ts'
import { EmploymentSection } from './employment-section.tsx'
import { ExperienceSection } from './experience-section.tsx'
import { LanguageAndData } from './language-and-data.tsx'
import { PersonalSection } from './personal-section.tsx'
import './profile.css'
import { Security } from './security.tsx'

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
