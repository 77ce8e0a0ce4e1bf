import { Trans, useLingui } from '@lingui/react/macro'
import { profileLabels } from '#contract/profile-labels.ts'
import { countyLengthMax } from '#rules/constants.ts'
import type { StepFieldName } from '#rules/profile-fields.ts'
import { hasNoPostcodes, noPostcode, unusualPostcode } from '#rules/postcodes.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { type FieldErrors, noErrors, type useFormValues } from '#ui/forms/form-state.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { type Country, countryName, isCountryServed } from '../../portal-settings.ts'
import './address-fields.css'

type Address = Record<StepFieldName<'2.3'>, string>

interface AddressFieldsProps<Values extends Address> {
  form: ReturnType<typeof useFormValues<Values>>
  countries: readonly Country[]
}

/** The fields of a residential address. */
export function AddressFields<Values extends Address>({ form, countries }: AddressFieldsProps<Values>) {
  const label = useLabels(profileLabels)
  const hint = usePostcodeHint(countries, form.values)
  return (
    <>
      <CountryBox
        label={label('country')}
        countries={countries}
        value={form.values.country}
        error={form.errors['country']}
        onValue={(country) => form.set({ country } as Partial<Values>)}
      />
      <TextField {...form.text('addressNo')} label={label('addressNo')} autoComplete="address-line1" />
      <TextField {...form.text('address')} label={label('address')} optional autoComplete="address-line2" />
      <div className="columns-2 pair postcode-and-city">
        <TextField
          {...form.text('postcode')}
          label={label('postcode')}
          hint={hint}
          className="numbers"
          autoComplete="postal-code"
        />
        <TextField {...form.text('city')} label={label('city')} autoComplete="address-level2" />
      </div>
      <TextField
        {...form.text('county')}
        label={label('county')}
        optional={<Trans>optional, up to {countyLengthMax} characters</Trans>}
        maxLength={countyLengthMax}
        autoComplete="address-level1"
      />
    </>
  )
}

interface CountryBoxProps {
  label: string
  countries: readonly Country[]
  value: string
  error?: string | undefined
  onValue: (code: string) => void
}

/** A country, found by typing. */
export function CountryBox({ label, countries, value, error, onValue }: CountryBoxProps) {
  return (
    <ComboBox
      label={label}
      items={countries.map(({ code, name }) => ({ id: code, label: name }))}
      value={value}
      error={error}
      onValue={onValue}
      autoComplete="country-name"
    />
  )
}

/** Returns a hint about the usual form of a country's postcodes; none is rejected for its form. */
function usePostcodeHint(countries: readonly Country[], { country, postcode }: Address): string | undefined {
  const { t } = useLingui()
  const name = countryName(countries, country)
  if (hasNoPostcodes(country)) return t`${name} has no postcodes. Enter ${noPostcode}.`
  const digits = unusualPostcode(country, postcode)
  return digits === null
    ? undefined
    : t`Postcodes in ${name} usually have ${digits} digits. Check that you entered it correctly.`
}

/** Returns errors for a country of residence that is not served. */
export function useAddressErrors(countries: readonly Country[]): (address: Pick<Address, 'country'>) => FieldErrors {
  const { t } = useLingui()
  return ({ country }) => {
    const lives = countries.find(({ code }) => code === country)
    return lives && !isCountryServed(lives)
      ? { country: t`We cannot offer our services to residents of this country.` }
      : noErrors
  }
}
