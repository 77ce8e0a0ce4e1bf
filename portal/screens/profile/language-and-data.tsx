import { IconDownload } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { downloadMyData, type ProfileData } from '#contract/profile.ts'
import { Button } from '#ui/forms/button.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { offeredLanguages } from '#ui/i18n/language.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { saveFile } from '#ui/api/upload.ts'
import { LanguageChoice } from '../../layout/language-choice.tsx'

/** The address and language of emails, and the download of the client's data. */
export function LanguageAndData({ user }: { user: ProfileData['user'] }) {
  const { t } = useLingui()
  return (
    <>
      <section className="profile-block">
        <h3 className="title-4">{t`Notifications`}</h3>
        <p className="muted size-14">
          <Trans>
            We email {user.email} about every decision on your documents, accounts and money. You also get a
            notification here. You cannot turn these emails off. We send no other emails.
          </Trans>
        </p>
      </section>
      {offeredLanguages().length > 1 && (
        <section className="profile-block">
          <h3 className="title-4">{t`Language`}</h3>
          <div className="profile-edit">
            <LanguageChoice />
          </div>
        </section>
      )}
      <section className="profile-block">
        <h3 className="title-4">{t`Your data`}</h3>
        <p className="muted size-14">{t`All the data we hold about you and your documents as a ZIP file.`}</p>
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
