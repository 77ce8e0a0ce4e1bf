import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { languages, type Language } from '#rules/choices.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { Field, FieldError, FieldGroup } from '#ui/forms/field.tsx'
import { FileInput } from '#ui/forms/file-input.tsx'
import { languageName } from '#ui/i18n/language.ts'
import { jsonAt, listAt, textAt, useDraft } from '../draft.ts'
import { TextAt } from '../fields.tsx'

const logoBytesMax = 150_000

export function FirmForm() {
  const { i18n } = useLingui()
  const { value, set } = useDraft()
  const spoken = listAt(value, 'languages')
  const speak = (language: Language, on: boolean) =>
    set(
      'languages',
      languages.filter((one) => (one === language ? on : spoken.includes(one))),
    )
  return (
    <>
      <TextAt path="name" />
      <TextAt path="legalName" />
      <div className="setting-colour">
        <Field label={<Trans>Choose colour</Trans>}>
          {(control) => (
            <input
              type="color"
              {...control}
              value={textAt(value, 'brandColour')}
              onChange={(event) => set('brandColour', event.target.value)}
            />
          )}
        </Field>
        <div className="grow">
          <TextAt path="brandColour" />
        </div>
      </div>
      <Logo />
      <TextAt path="supportEmail" inputMode="email" />
      <FieldGroup label={<Trans>Languages</Trans>}>
        {() => (
          <div className="row wrap">
            {languages.map((language) => (
              <Checkbox
                key={language}
                checked={spoken.includes(language)}
                onChange={(event) => speak(language, event.target.checked)}
              >
                {languageName(language, i18n.locale)}
              </Checkbox>
            ))}
          </div>
        )}
      </FieldGroup>
      <div className="columns-2">
        <TextAt path="timeZone" />
        <TextAt path="referencePrefix" />
      </div>
    </>
  )
}

/** An image of at most 150 kB, stored in the setting. */
function Logo() {
  const { t } = useLingui()
  const { value, set } = useDraft()
  const [error, setError] = useState('')
  const logo = jsonAt(value, 'logoUrl')
  const [removals, setRemovals] = useState(0)
  const choose = (file: File | undefined) => {
    if (!file) return
    if (file.size > logoBytesMax) {
      setError(t`The logo must be an image of up to 150\u00a0kB.`)
      return
    }
    setError('')
    const reader = new FileReader()
    reader.addEventListener('load', () => typeof reader.result === 'string' && set('logoUrl', reader.result))
    reader.readAsDataURL(file)
  }
  return (
    <Field label={<Trans>Logo</Trans>} hint={<Trans>PNG, JPEG or WebP, up to 150{'\u00a0'}kB</Trans>} optional>
      {(control) => (
        <>
          <FileInput key={removals} accept="image/png,image/jpeg,image/webp" {...control} onFile={choose} />
          {typeof logo === 'string' && (
            <div className="row wrap setting-logo">
              <img src={logo} alt={t`Logo`} />
              <button
                type="button"
                className="text-button"
                onClick={() => {
                  set('logoUrl', null)
                  setRemovals(removals + 1)
                }}
              >
                <Trans>Remove logo</Trans>
              </button>
            </div>
          )}
          <FieldError>{error}</FieldError>
        </>
      )}
    </Field>
  )
}
