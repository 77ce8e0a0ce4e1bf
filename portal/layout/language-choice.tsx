import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { setLanguage } from '#contract/users-session.ts'
import { languageRows, type Language } from '#rules/choices.ts'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { chooseLanguage, offeredLanguages } from '#ui/i18n/language.ts'
import { useClient } from '../session.ts'

/** The language of the portal on this device and, if logged in, of the client's emails; hidden if there is only one. */
export function LanguageChoice() {
  const { t, i18n } = useLingui()
  const client = useClient()
  const save = useEndpointMutation(setLanguage)
  const offered = offeredLanguages()
  // The tile is selected immediately, while the messages of that language are still loading.
  const [coming, setComing] = useState<Language | null>(null)
  if (offered.length < 2) return null
  const change = (language: Language) => {
    if (client) save.mutate({ language })
    setComing(language)
    void chooseLanguage(language).finally(() => setComing(null))
  }
  return (
    <div className="stack">
      {save.error && (
        <Alert kind="bad" title={<Trans>Your email language has not changed</Trans>}>
          <ApiErrorText failure={save.error} />
        </Alert>
      )}
      <RadioCards
        label={client ? t`Language of this portal and of our emails` : t`Language of this portal`}
        tiles={offered.map((value) => ({ value, label: languageRows[value].name }))}
        value={coming ?? (i18n.locale as Language)}
        onValue={change}
        across={2}
        short
      />
    </div>
  )
}
