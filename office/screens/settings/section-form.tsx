import type { ComponentType } from 'react'
import type { SettingSection } from '#contract/setting-sections.ts'
import { Fields, AreaAt, NumberAt, TextAt, AmountAt, useListAt } from './fields.tsx'
import { FirmForm } from './forms/firm-form.tsx'
import { MethodsForm } from './forms/methods-form.tsx'
import { NoticeForm } from './forms/notice-form.tsx'
import { PlatformGroupsForm } from './forms/platform-groups-form.tsx'
import { RatesForm } from './forms/rates-form.tsx'
import {
  ChecksForm,
  DecisionsByPersonForm,
  PayoutsForm,
  PlatformsForm,
  ProfessionalForm,
  RateLimitsForm,
  SecurityForm,
  WindDownForm,
} from './forms/operations-forms.tsx'
import { SlaForm } from './forms/sla-form.tsx'
import { Trans, useLingui } from '@lingui/react/macro'
import { legalTextKeys } from '#rules/choices.ts'
import { Disclosure } from '#ui/data/disclosure.tsx'
import { useDraft, jsonAt, jsonWithout, namesAt, textAt, emptyTexts } from './draft.ts'
import { usePathLabel } from './section-labels.ts'
import { type RetentionClass, retentionClasses, retentionPeriods } from '#rules/retention.ts'
import { currencies } from '#rules/money.ts'
import { listCountries } from '#contract/countries.ts'
import { riskLevels } from '#rules/constants.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Select } from '#ui/forms/select.tsx'
import { Button } from '#ui/forms/button.tsx'

const forms: Readonly<Record<SettingSection, ComponentType>> = {
  notice: NoticeForm,
  windDown: WindDownForm,
  firm: FirmForm,
  help: HelpForm,
  limits: LimitsForm,
  methods: MethodsForm,
  wireAccounts: WireAccountsForm,
  rates: RatesForm,
  thresholds: () => <AmountsByCurrency path="" />,
  payouts: PayoutsForm,
  countries: CountriesForm,
  legalTexts: LegalTextsForm,
  professional: ProfessionalForm,
  platforms: PlatformsForm,
  platformGroups: PlatformGroupsForm,
  security: SecurityForm,
  rateLimits: RateLimitsForm,
  checks: ChecksForm,
  sla: SlaForm,
  decisionsByPerson: DecisionsByPersonForm,
  retention: RetentionForm,
}

/** Their parts can be expanded by read-only users too, so each part locks its own fields. */
const expandableSections: readonly SettingSection[] = ['legalTexts', 'methods', 'platformGroups']

export function SectionForm({ section }: { section: SettingSection }) {
  const Form = forms[section]
  if (expandableSections.includes(section))
    return (
      <div className="stack">
        <Form />
      </div>
    )
  return (
    <Fields>
      <Form />
    </Fields>
  )
}

function LegalTextsForm() {
  const { t } = useLingui()
  const { language } = useDraft()
  const word = usePathLabel()
  return legalTextKeys.map((key) => (
    <Disclosure key={key} title={word(key)}>
      <div className="stack">
        <Fields>
          <NumberAt
            path={`${key}.version`}
            label={t`Version`}
            hint={<Trans>Increase the version when the meaning changes. Each acceptance records the version.</Trans>}
          />
          <TextAt path={`${key}.title.${language}`} label={t`Heading`} />
        </Fields>
        {/* Longer than its container: read-only users scroll in it, by keys too. */}
        <AreaAt path={`${key}.text.${language}`} label={t`Text`} rows={14} />
      </div>
    </Disclosure>
  ))
}

/** The retention of each class, with its bounds. */
function RetentionForm() {
  const { t } = useLingui()
  const years = retentionClasses.filter((name) => name.endsWith('Years'))
  const days = retentionClasses.filter((name) => !years.includes(name))
  const field = (name: RetentionClass) => {
    const { least, most } = retentionPeriods[name]
    return <NumberAt key={name} path={name} hint={t`from ${least} to ${most}`} />
  }
  return (
    <>
      <h2 className="title-3">{t`After the end of the relationship`}</h2>
      <p className="muted">
        <Trans>
          After these years, a client’s identity, documents, emails and bank details are deleted. Payments and the audit
          log are kept.
        </Trans>
      </p>
      <div className="columns-2">{years.map(field)}</div>
      <h2 className="title-3">{t`Operational data`}</h2>
      <div className="columns-2">{days.map(field)}</div>
    </>
  )
}

/** Amounts and accounts; changes of two kinds wait for a second administrator. */
function LimitsForm() {
  const word = usePathLabel()
  return ['depositMin', 'withdrawalMin', 'transferMin', 'announcedMax'].map((kind) => (
    <div key={kind} className="settings-group">
      <h2 className="title-3">{word(kind)}</h2>
      <AmountsByCurrency path={kind} />
    </div>
  ))
}

function AmountsByCurrency({ path }: { path: string }) {
  return (
    <div className="columns-3">
      {currencies.map((currency) => (
        <AmountAt key={currency} path={path === '' ? currency : `${path}.${currency}`} label={currency} />
      ))}
    </div>
  )
}

function WireAccountsForm() {
  return currencies.map((currency) => (
    <div key={currency} className="settings-group">
      <h2 className="title-3">{currency}</h2>
      <TextAt path={`${currency}.AccountHolder`} label={<Trans>Account holder</Trans>} />
      <TextAt path={`${currency}.IBAN`} label="IBAN" optional />
      <div className="columns-2">
        <TextAt path={`${currency}.BankAccountNumber`} label={<Trans>Account number</Trans>} optional />
        <TextAt path={`${currency}.SpecialId`} label={<Trans>Sort code or bank code</Trans>} optional />
        <TextAt path={`${currency}.SwiftCode`} label={<Trans>SWIFT/BIC</Trans>} optional />
        <TextAt path={`${currency}.BankName`} label={<Trans>Bank</Trans>} />
      </div>
    </div>
  ))
}

const levels = riskLevels.map(String)

/** Only where the firm differs from the default; everything else follows the dated sources. */
function CountriesForm() {
  const { t } = useLingui()
  const { value, set } = useDraft()
  const { data } = useEndpoint(listCountries, {}, { staleMs: Number.POSITIVE_INFINITY })
  const changed = namesAt(value, 'changes')
  const countries = data?.countries ?? []
  const name = (code: string) => countries.find((one) => one.code === code)?.name ?? code
  return (
    <>
      {changed.length === 0 && <p className="muted">{t`All countries use the default.`}</p>}
      {changed.map((code) => (
        <div key={code} className="settings-group">
          <h2 className="title-3">{name(code)}</h2>
          <Select
            label={t`Risk level`}
            value={textAt(value, `changes.${code}.level`)}
            options={[{ value: '', label: t`Use default` }, ...levels.map((level) => ({ value: level, label: level }))]}
            onChange={(event) => {
              const held = jsonAt(value, `changes.${code}`)
              if (event.target.value === '') set(`changes.${code}`, jsonWithout(held, 'level'))
              else set(`changes.${code}.level`, Number(event.target.value))
            }}
          />
          <Checkbox
            checked={jsonAt(value, `changes.${code}.available`) !== false}
            onChange={(event) => set(`changes.${code}.available`, event.target.checked)}
          >
            <Trans>Registration is open to residents</Trans>
          </Checkbox>
          <button
            type="button"
            className="text-button"
            onClick={() => set('changes', jsonWithout(jsonAt(value, 'changes'), code))}
          >
            <Trans>Reset {name(code)} to default</Trans>
          </button>
        </div>
      ))}
      <ComboBox
        label={t`Change a country`}
        items={countries
          .filter(({ code }) => !changed.includes(code))
          .map((one) => ({ id: one.code, label: one.name }))}
        value=""
        onValue={(code) => {
          const country = countries.find((one) => one.code === code)
          if (country) set(`changes.${code}`, { available: country.available })
        }}
      />
    </>
  )
}

/** Contact details, office hours, and answers to frequent questions. */
function HelpForm() {
  const { t } = useLingui()
  const { language } = useDraft()
  const answers = useListAt('answers')
  return (
    <>
      <TextAt path="phone" label={t`Phone`} optional />
      <AreaAt path={`hours.${language}`} label={t`Hours`} />
      {answers.list.map((_, index) => (
        <div key={index} className="settings-group" data-path={`answers.${index}`}>
          <TextAt path={`answers.${index}.question.${language}`} label={t`Question ${index + 1}`} />
          <AreaAt path={`answers.${index}.answer.${language}`} label={t`Answer ${index + 1}`} rows={4} />
          <button type="button" className="text-button" onClick={() => answers.remove(index)}>
            <Trans>Remove question {index + 1}</Trans>
          </button>
        </div>
      ))}
      <Button size="small" onClick={() => answers.add({ question: emptyTexts(), answer: emptyTexts() })}>
        <Trans>Add question</Trans>
      </Button>
    </>
  )
}
