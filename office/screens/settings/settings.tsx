import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import * as z from 'zod/mini'
import { getSetting, getSettingChange, listSettings } from '#contract/office/settings.ts'
import { officePaths } from '#contract/office-paths.ts'
import { settingSectionNames, type SettingSection } from '#contract/setting-sections.ts'
import { isLogout } from '#ui/auth/session.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { session } from '../../session.ts'
import { jsonAt, type Json } from './draft.ts'
import { storedDrafts } from './draft-store.ts'
import { useUnsaved } from './use-draft.ts'
import { SectionPage } from './section-page.tsx'
import { sectionOrder } from '../../records/section-names.ts'
import { useSectionLabels } from './section-labels.ts'
import './settings.css'

// After an expired session the person signs in again and continues there.
session.subscribe(() => {
  if (isLogout(session.endReason())) storedDrafts.forget()
})

const address = z.object({ change: z.optional(z.string()) })

/** The settings, section by section: form, preview for clients, changes, and a reason. */
export default function Settings({ params }: { params: { section?: string } }) {
  const { t } = useLingui()
  useWindowTitle(t`Settings`)
  useSectionOfChange()
  const asked = settingSectionNames.find((name) => name === params.section)
  const section: SettingSection = asked ?? 'notice'
  return (
    <div className="settings" data-chosen={params.section === undefined ? 'no' : 'yes'}>
      <SectionList section={section} Heading={params.section === undefined ? 'h1' : 'p'} />
      <div className="settings-page">
        <SectionPage key={section} section={section} Heading={params.section === undefined ? 'h2' : 'h1'} />
      </div>
    </div>
  )
}

/** Opens the section of the pending change in a work item. */
function useSectionOfChange(): void {
  const [{ change }] = useUrlState(address)
  const [, navigate] = useLocation()
  const { data } = useEndpoint(getSettingChange, { id: change ?? '' }, { enabled: change !== undefined })
  const section = data?.change.section
  useEffect(() => {
    if (section) navigate(officePaths.settingSection(section), { replace: true })
  }, [section, navigate])
}

function SectionList({ section, Heading }: { section: SettingSection; Heading: 'h1' | 'p' }) {
  const { t } = useLingui()
  const words = useSectionLabels()
  const { data, error, refetch } = useEndpoint(listSettings, {})
  const { data: windDown } = useEndpoint(getSetting, { section: 'windDown' })
  const isWindingDown = Object.values(
    (jsonAt((windDown?.value ?? null) as Json, '') ?? {}) as Record<string, Json>,
  ).includes(true)
  const isUnsaved = useUnsaved()
  const waiting = new Set(data?.sections.filter(({ pending }) => pending !== null).map((one) => one.section))
  return (
    <nav className="settings-list" aria-label={t`Settings sections`}>
      <Heading className="settings-title">{t`Settings`}</Heading>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {sectionOrder.map((name) => (
        <Link key={name} href={officePaths.settingSection(name)} aria-current={name === section ? 'page' : undefined}>
          {words(name).name}
          {waiting.has(name) ? (
            <span className="tag wait">{t`pending`}</span>
          ) : isUnsaved(name) ? (
            <span className="tag">{t`draft`}</span>
          ) : (
            name === 'windDown' && isWindingDown && <span className="tag wait">{t`on`}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}
