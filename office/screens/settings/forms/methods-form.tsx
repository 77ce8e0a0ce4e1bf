import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { paymentMethods, type MethodType } from '#rules/payment-methods.ts'
import { Disclosure } from '#ui/data/disclosure.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { countryName } from '../../../decision/country-name.ts'
import { listAt, textAt, useDraft } from '../draft.ts'
import { Fields, TextAt } from '../fields.tsx'

/** The methods in their order; a removed one can be added again with its default. */
export function MethodsForm() {
  const { t } = useLingui()
  return (
    <>
      <h2 className="title-3">{t`Deposits`}</h2>
      <MethodList side="deposit" />
      <h2 className="title-3">{t`Withdrawals`}</h2>
      <MethodList side="withdrawal" />
    </>
  )
}

function MethodList({ side }: { side: 'deposit' | 'withdrawal' }) {
  const { value, defaultValue, language, set } = useDraft()
  const name = `method.${language}`
  const methods = listAt(value, side)
  const absent = listAt(defaultValue, side).filter(
    (method) => !methods.some((one) => textAt(one, 'id') === textAt(method, 'id')),
  )
  return (
    <>
      {methods.map((method, index) => (
        <Disclosure key={textAt(method, 'id')} title={textAt(method, name)}>
          <Fields>
            <MethodFields path={`${side}.${index}`} />
            <p>
              <button
                type="button"
                className="text-button"
                onClick={() =>
                  set(
                    side,
                    methods.filter((_, place) => place !== index),
                  )
                }
              >
                <Trans>Remove {textAt(method, name)}</Trans>
              </button>
            </p>
          </Fields>
        </Disclosure>
      ))}
      {absent.map((method) => (
        <Fields key={textAt(method, 'id')}>
          <p>
            <button type="button" className="text-button" onClick={() => set(side, [...methods, method])}>
              <Trans>Restore {textAt(method, name)}</Trans>
            </button>
          </p>
        </Fields>
      ))}
    </>
  )
}

function MethodFields({ path }: { path: string }) {
  const { t } = useLingui()
  const { language, value } = useDraft()
  return (
    <div className="stack">
      <TextAt path={`${path}.method.${language}`} label={t`Name`} />
      <TextAt path={`${path}.time.${language}`} label={t`Processing time`} />
      <TextAt path={`${path}.text.${language}`} label={t`Description`} />
      <div className="columns-2 pair">
        <TextAt path={`${path}.fee.percent`} label={t`Percentage fee`} end="%" inputMode="decimal" />
        <TextAt path={`${path}.fee.flat`} label={t`Fixed fee`} inputMode="decimal" />
      </div>
      <CountryCodesAt path={`${path}.countries`} type={textAt(value, `${path}.type`) as MethodType} />
    </div>
  )
}

/** Country codes on one line; commas are left as typed while editing. */
function CountryCodesAt({ path, type }: { path: string; type: MethodType }) {
  const { t, i18n } = useLingui()
  const { value, errors, set } = useDraft()
  const { offeredIn } = paymentMethods[type]
  const countries = typeof offeredIn === 'object' && offeredIn.map((code) => countryName(code, i18n.locale)).join(', ')
  const hint = countries
    ? t`only offered in: ${countries}`
    : offeredIn === 'listed'
      ? t`country codes separated by commas, or empty for none`
      : t`country codes separated by commas, or empty for all`
  const held = listAt(value, path)
    .filter((code) => typeof code === 'string')
    .join(', ')
  const [text, setText] = useState(held)
  // Changed by another control, such as Discard: update the text.
  if (codesIn(text).join(', ') !== held) setText(held)
  const wrong = Object.entries(errors).find(([place]) => place === path || place.startsWith(`${path}.`))
  return (
    <TextField
      label={t`Countries`}
      optional={hint}
      error={wrong?.[1]}
      value={text}
      onChange={(event) => {
        const typed = event.target.value.toUpperCase()
        setText(typed)
        set(path, codesIn(typed))
      }}
      onBlur={() => setText(held)}
    />
  )
}

function codesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}
