import { Trans, useLingui } from '@lingui/react/macro'
import { listCountries } from '#contract/countries.ts'
import { riskLevels } from '#rules/constants.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Select } from '#ui/forms/select.tsx'
import { jsonAt, jsonWithout, namesAt, textAt, useDraft } from '../draft.ts'

const levels = riskLevels.map(String)

/** Only where the firm differs from the default; everything else follows the dated sources. */
export function CountriesForm() {
  const { t } = useLingui()
  const { value, set } = useDraft()
  const { data } = useEndpoint(listCountries, {}, { staleMs: Number.POSITIVE_INFINITY })
  const changed = namesAt(value, 'changes')
  const countries = data?.countries ?? []
  const name = (code: string) => countries.find((one) => one.code === code)?.name ?? code
  return (
    <>
      {changed.length === 0 && (
        <p className="muted">
          <Trans>All countries use the default.</Trans>
        </p>
      )}
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
