import { IconDownload } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { downloadMyData, type ProfileData } from '#contract/profile.ts'
import { setLanguage } from '#contract/users-session.ts'
import { languageRows, type Language } from '#rules/choices.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ApiErrorText } from '#ui/feedback/error-panel.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { chooseLanguage, offeredLanguages } from '#ui/i18n/language.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { saveFile } from '#ui/api/upload.ts'

/** Where we write to, in which language, and everything that is kept, to take away. */
export function LanguageAndData({ user }: { user: ProfileData['user'] }) {
  const { t, i18n } = useLingui()
  const save = useEndpointMutation(setLanguage)
  const offered = offeredLanguages()
  // The tile is chosen at once, also while the words of that language are still being fetched.
  const [coming, setComing] = useState<Language | null>(null)
  const change = (language: Language) => {
    save.mutate({ language })
    setComing(language)
    void chooseLanguage(language).finally(() => setComing(null))
  }
  return (
    <>
      <section className="profile-block">
        <h3 className="title-4">
          <Trans>Notifications</Trans>
        </h3>
        <p className="muted size-14">
          <Trans>
            We email {user.email} about every decision on your documents, accounts and money. You also get a
            notification here. You cannot turn these emails off. We send no other emails.
          </Trans>
        </p>
      </section>
      {offered.length > 1 && (
        <section className="profile-block">
          <h3 className="title-4">
            <Trans>Language</Trans>
          </h3>
          <div className="profile-edit stack">
            {save.error && (
              <Alert kind="bad" title={<Trans>Your email language has not changed</Trans>}>
                <ApiErrorText failure={save.error} />
              </Alert>
            )}
            <RadioCards
              label={t`Language of this portal and of our emails`}
              tiles={offered.map((value) => ({ value, label: languageRows[value].name }))}
              value={coming ?? (i18n.locale as Language)}
              onValue={change}
              across={2}
              short
            />
          </div>
        </section>
      )}
      <section className="profile-block">
        <h3 className="title-4">
          <Trans>Your data</Trans>
        </h3>
        <p className="muted size-14">
          <Trans>All the data we hold about you and your documents as a ZIP file.</Trans>
        </p>
        <Download />
      </section>
    </>
  )
}

function Download() {
  const { t } = useLingui()
  const [pending, setPending] = useState(false)
  const [said, setSaid] = useState<string | null>(null)
  const download = async () => {
    setPending(true)
    setSaid(null)
    try {
      await saveFile(downloadMyData.path, 'my-data.zip')
    } catch (thrown) {
      setSaid(thrown instanceof ApiError ? thrown.error : t`Something went wrong!`)
    }
    setPending(false)
  }
  return (
    <div className="stack">
      {said && <Alert kind="bad">{said}</Alert>}
      <Button
        size="small"
        icon={<IconDownload className="small" aria-hidden="true" />}
        pending={pending}
        onClick={() => void download()}
      >
        <Trans>Download my data</Trans>
      </Button>
    </div>
  )
}
