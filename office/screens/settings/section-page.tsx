import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState, Fragment } from 'react'
import {
  getSetting,
  type SettingAnswer,
  approveSettingChange,
  cancelSettingChange,
  getSettingChange,
  listSettings,
  rejectSettingChange,
} from '#contract/office/settings.ts'
import { officePaths } from '#contract/office-paths.ts'
import type { SettingSection } from '#contract/setting-sections.ts'
import { type Language, languages } from '#rules/choices.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { DifferenceTable } from './difference-table.tsx'
import { type Draft, DraftContext, type Json, useDraft } from './draft.ts'
import { differencesOf } from '#rules/settings-changes.ts'
import { useStoredDraft } from './use-draft.ts'
import { SaveBar } from './save-bar.tsx'
import { SectionForm } from './section-form.tsx'
import { SectionPreview } from './section-preview.tsx'
import { useSectionLabels } from './section-labels.ts'
import { usePreview, invalidFieldOf } from './use-preview.ts'
import { IconChevronLeft, IconAlertTriangle } from '@tabler/icons-react'
import { Alert } from '#ui/feedback/alert.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { Time } from '#ui/text/time.tsx'
import { useSaverLabel } from '../../records/actor-label.ts'
import { SecondApproval, useChangeLabels } from '../../records/second-approval.tsx'
import { languageName } from '#ui/i18n/language.ts'
import '#ui/data/tabs.css'

/** One section: it is loaded completely before it can be edited. */
export function SectionPage({ section, Heading }: { section: SettingSection; Heading: 'h1' | 'h2' }) {
  const { data, error, refetch } = useEndpoint(getSetting, { section })
  if (error && !data)
    return (
      <OfficePage>
        <ErrorPanel level={Heading} failure={error} onRetry={() => void refetch()} />
      </OfficePage>
    )
  if (!data) return <OfficePage>{null}</OfficePage>
  return <OpenSection setting={data} Heading={Heading} />
}

function OpenSection({ setting, Heading }: { setting: SettingAnswer; Heading: 'h1' | 'h2' }) {
  const { t } = useLingui()
  const words = useSectionLabels()(setting.section)
  const saved = setting.value as Json
  const locked = setting.pending !== null || setting.refusal !== null
  const kept = useStoredDraft({ section: setting.section, value: saved, version: setting.version })
  const written = differencesOf(saved, kept.value)
  // A pending or read-only section is shown unchanged.
  const [value, differences] = locked ? [saved, []] : [kept.value, written]
  const [language, setLanguage] = useState<Language>('en')
  const { preview, failure } = usePreview(setting.section, value, differences.length > 0)
  const wrong = invalidFieldOf(failure)
  const errors: Record<string, string> = wrong ? { [wrong.path]: asSentence(wrong.text) } : {}
  const draft: Draft = {
    value,
    saved,
    defaultValue: setting.defaultValue as Json,
    locked,
    errors,
    language,
    set: kept.set,
  }
  const overtaken = kept.overtaken && differences.length > 0 && <EditConflict setting={setting} />
  return (
    <DraftContext value={draft}>
      <OfficePage
        bar={
          !locked && (
            <SaveBar
              setting={setting}
              value={value}
              differences={differences}
              affectedClients={preview?.affectedClients ?? setting.affectedClients}
              refusal={failure}
              overtaken={overtaken}
              onDrop={kept.drop}
            />
          )
        }
      >
        <div className="settings-body">
          <div className="settings-form">
            <Link href={officePaths.settings} className="settings-back">
              <IconChevronLeft className="small" aria-hidden="true" />
              <Trans>All sections</Trans>
            </Link>
            <Heading className="settings-title">{words.name}</Heading>
            <p className="settings-intro">
              {words.description} <EarlierVersions setting={setting} />
            </p>
            {setting.refusal && <p className="muted">{setting.refusal.text}</p>}
            {overtaken}
            {setting.pending && <PendingChange pending={setting.pending} keeps={written.length > 0} />}
            <LanguageTabs section={setting.section} language={language} onLanguage={setLanguage} />
            <SectionForm section={setting.section} />
          </div>
          <div className="settings-side">
            <SectionPreview section={setting.section} preview={preview} sources={setting.sources} />
            {differences.length > 0 && (
              <section>
                <h2>{t`Changes`}</h2>
                <DifferenceTable changes={differences} />
              </section>
            )}
          </div>
        </div>
      </OfficePage>
    </DraftContext>
  )
}

/** Returns a reason with a capital letter, because it follows a colon elsewhere. */
function asSentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

/** Shown if a colleague saved first: the draft continues on their version. */
function EditConflict({ setting: { changedBy } }: { setting: SettingAnswer }) {
  const saver = useSaverLabel()(changedBy)
  return (
    <Alert kind="wait" title={<Trans>{saver} saved this section in the meantime</Trans>}>
      <Trans>Your changes have been kept and applied to the current version. Review them before you save.</Trans>
    </Alert>
  )
}

/** When it was last changed, by whom, and the former values. */
function EarlierVersions({ setting }: { setting: SettingAnswer }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const saverOf = useSaverLabel()
  const { changedAt, changedBy, earlier } = setting
  if (!changedAt) return <Trans>Default value. Never changed.</Trans>
  const saver = saverOf(changedBy)
  return (
    <>
      <Trans>
        Changed on <Time at={changedAt} form="day" /> by {saver}.
      </Trans>{' '}
      <button type="button" className="text-button" onClick={() => setOpen(true)}>
        <Plural value={earlier.length} one="# change" other="# changes" />
      </button>
      <Drawer isOpen={open} title={t`Changes`} onClose={() => setOpen(false)}>
        <div className="stack-6">
          {earlier.map((version) => (
            <section key={version.version} className="stack-2">
              <p className="strong">
                <Time at={version.at} /> · {saverOf(version.by)}
              </p>
              <p className="muted">{version.reason}</p>
              <DifferenceTable changes={version.changes} />
            </section>
          ))}
        </div>
      </Drawer>
    </>
  )
}

interface PendingChangeProps {
  pending: NonNullable<SettingAnswer['pending']>
  /** True if there was a draft here when it was proposed. */
  keeps: boolean
}

/** A change of a setting that waits for a second administrator. */
function PendingChange({ pending, keeps }: PendingChangeProps) {
  const { t } = useLingui()
  const read = useEndpoint(getSettingChange, { id: pending.id })
  const words = useChangeLabels({
    title: t`Approve change`,
    done: t`The change has taken effect.`,
    look: <DifferenceTable changes={pending.changes} />,
  })
  return (
    <section className="settings-group">
      <Alert kind="wait" title={<Trans>A change needs a second administrator’s approval</Trans>}>
        <p>
          <Trans>
            Proposed by {pending.by.name} on <Time at={pending.at} />: {pending.reason}
          </Trans>
        </p>
        {keeps && <p>{t`Your draft has been kept. You can continue after the decision.`}</p>}
      </Alert>
      <DifferenceTable changes={pending.changes} />
      <SecondApproval
        proposal={pending}
        verbs={read.data?.change.verbs}
        read={read}
        approve={approveSettingChange}
        reject={rejectSettingChange}
        cancel={cancelSettingChange}
        refreshes={[getSetting, getSettingChange, listSettings]}
        words={words}
        danger="reject"
      />
    </section>
  )
}

const inBothLanguages: readonly SettingSection[] = ['help', 'notice', 'methods', 'legalTexts', 'security']

interface LanguageTabsProps {
  section: SettingSection
  language: Language
  onLanguage: (language: Language) => void
}

/** The language that is being edited; shows the number of empty texts in the other one. */
function LanguageTabs({ section, language, onLanguage }: LanguageTabsProps) {
  const { t, i18n } = useLingui()
  const { value } = useDraft()
  if (!inBothLanguages.includes(section)) return null
  const tab = (one: Language, name: string) => {
    const missing = missingIn(value, one)
    return (
      <button type="button" className="capitals" aria-pressed={language === one} onClick={() => onLanguage(one)}>
        {name}
        {missing > 0 && (
          <span className="tone-wait">
            {' '}
            <IconAlertTriangle className="small" aria-hidden="true" /> {missing}
            <span className="unseen">
              {' '}
              <Trans>missing</Trans>
            </span>
          </span>
        )}
      </button>
    )
  }
  return (
    <div className="tabs language-tabs" role="group" aria-label={t`Language of the texts`}>
      {languages.map((one) => (
        <Fragment key={one}>{tab(one, languageName(one, i18n.locale))}</Fragment>
      ))}
    </div>
  )
}

/** Returns how many texts of a language are empty. */
function missingIn(value: Json, language: Language): number {
  if (value === null || typeof value !== 'object') return 0
  const own = languages.every((one) => one in value) ? (value as Record<Language, Json>) : null
  const text = own?.[language]
  if (typeof text === 'string') return text.trim() === '' ? 1 : 0
  if (own && Array.isArray(text)) {
    const longest = Math.max(...Object.values(own).map((lines) => (Array.isArray(lines) ? lines.length : 0)))
    return longest - text.length + text.filter((one) => typeof one === 'string' && one.trim() === '').length
  }
  return Object.values(value).reduce<number>((sum, part) => sum + missingIn(part, language), 0)
}
