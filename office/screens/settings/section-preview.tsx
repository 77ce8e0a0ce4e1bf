import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, type ReactNode } from 'react'
import { noticeDate } from '#contract/notice-date.ts'
import type { SettingAnswer, SettingPreview } from '#contract/office/settings.ts'
import type { SettingSection } from '#contract/setting-sections.ts'
import { currencies } from '#rules/money.ts'
import { FirmNoticeDates } from '#ui/feedback/firm-notice.tsx'
import { groupedByFour, groupedInPlace, sortCodeText } from '#ui/text/code-format.ts'
import { decimalMoneyText } from '#ui/money/money.tsx'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { dateFormat } from '#ui/text/formats.ts'
import { calendarDayText, Time } from '#ui/text/time.tsx'
import { useTextsIn } from '../../decision/client-texts.ts'
import { jsonAt, listAt, textAt, useDraft } from './draft.ts'
import { isAmount } from './section-labels.ts'
import { listRetentionRuns } from '#contract/office/retention.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Skeleton, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { usePurgedText } from '../../records/purge-labels.ts'

interface SectionPreviewProps {
  section: SettingSection
  preview: SettingPreview | null
  sources: SettingAnswer['sources']
}

/** Shows what clients will see after saving; for the countries the sources of the defaults. */
export function SectionPreview({ section, preview, sources }: SectionPreviewProps) {
  const { t } = useLingui()
  if (section === 'retention') return <RetentionRuns />
  if (section === 'countries') return <Sources sources={sources} />
  const shown = clientPreviewOf(section, preview)
  if (!shown) return null
  return (
    <section>
      <h2>{t`Client preview`}</h2>
      {shown}
    </section>
  )
}

function clientPreviewOf(section: SettingSection, preview: SettingPreview | null): ReactNode {
  switch (section) {
    case 'notice':
      return (
        <Suspense fallback={<Skeleton width="100%" height={120} />}>
          <NoticePreview />
        </Suspense>
      )
    case 'firm':
      return <ColoursPreview colours={preview?.colours ?? null} />
    case 'help':
      return <HelpPreview />
    case 'wireAccounts':
      return <WirePreview />
    case 'limits':
      return <LimitsPreview />
    case 'methods':
      return <MethodsPreview />
    default:
      return null
  }
}

function NoticePreview() {
  const { t } = useLingui()
  const { value, language } = useDraft()
  const translate = useTextsIn(language)
  if (jsonAt(value, 'shown') !== true) return <p className="muted">{t`The notice is not shown.`}</p>
  const dates = listAt(value, 'dates').map((date) => ({
    when: noticeDate(textAt(date, 'at'), jsonAt(date, 'before') === true, language, { translate, dateFormat }),
    what: textAt(date, `label.${language}`),
  }))
  return (
    <div className="setting-preview-ink on-ink">
      <p className="section-name">{t`Firm notice`}</p>
      <h3>{textAt(value, `title.${language}`)}</h3>
      <FirmNoticeDates notice={{ title: '', lines: [], dates }} />
      <div className="lines">
        {listAt(value, `lines.${language}`).map((line, index) => (
          <p key={index}>{typeof line === 'string' ? line : ''}</p>
        ))}
      </div>
    </div>
  )
}

function HelpPreview() {
  const { value, language } = useDraft()
  return (
    <div className="stack">
      <p className="setting-text">
        {[textAt(value, 'phone'), textAt(value, `hours.${language}`)].filter(Boolean).join('\n')}
      </p>
      {listAt(value, 'answers').map((one, index) => (
        <div key={index} className="settings-group">
          <h3>{textAt(one, `question.${language}`)}</h3>
          <p className="setting-text">{textAt(one, `answer.${language}`)}</p>
        </div>
      ))}
    </div>
  )
}

function WirePreview() {
  const { value } = useDraft()
  const { t } = useLingui()
  return (
    <div className="stack">
      {currencies.map((currency) => {
        const at = (name: string) => textAt(value, `${currency}.${name}`)
        return (
          <div key={currency} className="settings-group">
            <h3>{currency}</h3>
            <DescriptionList
              rows={[
                { key: t`Account holder`, value: at('AccountHolder') },
                at('IBAN') !== '' && { key: 'IBAN', value: groupedInPlace(at('IBAN')) },
                at('SpecialId') !== '' && { key: t`Sort code`, value: sortCodeText(at('SpecialId')) },
                at('BankAccountNumber') !== '' && {
                  key: t`Account number`,
                  value: groupedByFour(at('BankAccountNumber')),
                },
                at('SwiftCode') !== '' && { key: t`SWIFT/BIC`, value: at('SwiftCode') },
                { key: t`Bank`, value: at('BankName') },
              ]}
            />
          </div>
        )
      })}
    </div>
  )
}

function LimitsPreview() {
  const { value } = useDraft()
  const { t, i18n } = useLingui()
  return (
    <div className="settings-group stack-2">
      {currencies.map((currency) => {
        const entered = textAt(value, `depositMin.${currency}`)
        if (!isAmount(entered)) return null
        const smallest = decimalMoneyText(entered, currency, i18n.locale)
        return <p key={currency}>{t`Amount too low. The minimum deposit is ${smallest}.`}</p>
      })}
    </div>
  )
}

function MethodsPreview() {
  const { value, language } = useDraft()
  return (
    <div className="settings-group">
      {listAt(value, 'deposit').map((method) => (
        <div key={textAt(method, 'id')}>
          <p className="strong">{textAt(method, `method.${language}`)}</p>
          <p className="muted">
            {textAt(method, `text.${language}`)} {textAt(method, `time.${language}`)}
          </p>
        </div>
      ))}
    </div>
  )
}

function Sources({ sources }: Pick<SectionPreviewProps, 'sources'>) {
  const { t, i18n } = useLingui()
  const names: Readonly<Record<string, string>> = {
    FATF_CALL: t`FATF, call for action`,
    FATF_GREY: t`FATF, increased monitoring`,
    EU_HR3C: t`EU high-risk third countries`,
    EU_TAX_ANNEX1: t`EU list of non-cooperative tax jurisdictions`,
    FATF_RECENT_EXIT: t`Recently removed from the FATF list`,
    SANCTIONS_POLICY: t`Sanctions: firm policy`,
    EQUIV: t`Equivalent rules`,
  }
  // Sources that have no list with a URL.
  const grounds: Readonly<Record<string, string>> = {
    FATF_RECENT_EXIT: t`Removed from the list less than 24 months ago, except EEA members.`,
    SANCTIONS_POLICY: t`Firm decision: EU and United Kingdom sanctions do not allow clients from these countries. Compliance must confirm this.`,
    EQUIV: t`EEA, Switzerland, the United Kingdom, the Crown Dependencies and long-standing FATF members. Compliance must confirm this.`,
  }
  return (
    <section>
      <h2>{t`Source of the default`}</h2>
      <DescriptionList
        rows={sources.map(({ name, source, asOf }) => ({
          key: names[name] ?? name,
          value: (
            <>
              {grounds[name] ?? (
                <span lang="en" className="setting-source">
                  {source}
                </span>
              )}
              <br />
              <span className="muted">{calendarDayText(asOf, i18n.locale)}</span>
            </>
          ),
        }))}
      />
    </section>
  )
}

/** Shows what the daily job deleted and when. */
function RetentionRuns() {
  const { t } = useLingui()
  const text = usePurgedText()
  const { data, error, refetch } = useEndpoint(listRetentionRuns, {})
  return (
    <section>
      <h2>{t`Deleted data`}</h2>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {data?.runs.length === 0 && <p className="muted">{t`No deletions yet. Expired data is checked daily.`}</p>}
      <DescriptionList
        rows={(data?.runs ?? []).map(({ at, counts, isComplete }) => ({
          key: <Time at={at} form="day" />,
          value: isComplete
            ? text(counts) || <Trans>No data was due for deletion.</Trans>
            : [text(counts), t`Incomplete because of an error`].filter(Boolean).join(' · '),
        }))}
      />
    </section>
  )
}

const shown = [
  'brand',
  'on-brand',
  'brand-text',
  'brand-tint',
  'brand-line',
  'focus',
  'ink',
  'on-ink',
  'page',
  'surface',
  'text',
  'line',
]

/** The colours derived from the brand colour, for light and dark, as computed by the server. */
function ColoursPreview({ colours }: { colours: SettingPreview['colours'] }) {
  const { t } = useLingui()
  if (!colours)
    return <p className="muted">{t`Change the colour to preview it. Text contrast is adjusted automatically.`}</p>
  return (
    <ul className="setting-swatches">
      {shown.map((token) => {
        const pair = colours[token]
        if (!pair) return null
        return (
          <li key={token}>
            <svg width="40" height="20" role="img" aria-label={`${token}: ${pair.light}, ${pair.dark}`}>
              <rect width="20" height="20" fill={pair.light} />
              <rect x="20" width="20" height="20" fill={pair.dark} />
            </svg>
            <span className="muted size-12">{token}</span>
          </li>
        )
      })}
    </ul>
  )
}
