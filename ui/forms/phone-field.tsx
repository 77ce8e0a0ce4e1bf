import { IconChevronDown } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { internationalNumber, splitNumber, parseInternational } from '#rules/phone-numbers.ts'
import { Field, type FieldFrame } from './field.tsx'
import './phone-field.css'

interface PhoneCountry {
  code: string
  name: string
  /** "+49" */
  prefix: string
}

interface PhoneFieldProps extends FieldFrame {
  countries: readonly PhoneCountry[]
  /** The whole number, "+491701234567"; '' while empty. */
  value: string
  onValue: (number: string) => void
  /** The country of the first prefix: the country of residence. */
  country?: string
  name?: string
}

/** A telephone number with its country's prefix; the value is in international form. */
export function PhoneField({
  label,
  hint,
  error,
  optional,
  countries,
  value,
  onValue,
  country,
  name,
}: PhoneFieldProps) {
  const { t } = useLingui()
  const start = splitNumber(value, countries, country) ?? { code: country ?? '', rest: value }
  const [code, setCode] = useState(start.code)
  const [rest, setRest] = useState(start.rest)
  const prefix = countries.find((row) => row.code === code)?.prefix ?? ''
  const change = (nextCode: string, written: string) => {
    const abroad = parseInternational(written)
    const split = abroad === null ? null : splitNumber(abroad, countries, nextCode)
    const parts = split ?? { code: nextCode, rest: written.trimStart() }
    setCode(parts.code)
    setRest(parts.rest)
    const from = countries.find((row) => row.code === parts.code)
    // An incomplete or unknown prefix stays as entered.
    if (abroad !== null && !split) onValue(abroad.replace(/^\+$/, ''))
    else onValue(from ? internationalNumber(from, parts.rest) : '')
  }
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <span className="input-frame phone-field">
          <span className="phone-prefix">
            <span aria-hidden="true">{prefix}</span>
            <IconChevronDown className="small" aria-hidden="true" />
            <select
              aria-label={t`Country prefix`}
              autoComplete="tel-country-code"
              value={code}
              onChange={(event) => change(event.target.value, rest)}
            >
              {!code && <option value="" />}
              {countries.map((row) => (
                <option key={row.code} value={row.code}>{`${row.name} ${row.prefix}`}</option>
              ))}
            </select>
          </span>
          <input
            {...control}
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            name={name}
            className="numbers"
            value={rest}
            onChange={(event) => change(code, event.target.value)}
          />
        </span>
      )}
    </Field>
  )
}
