import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import type { PortalSettings } from '../../portal-settings.ts'
import { type Answers, useRegistration } from './registration-state.ts'

const LegalDialog = lazyPart(async () => (await import('../../layout/legal-dialog.tsx')).default)

/** The version of each text that is ticked, 0 for none: a newer text is read and ticked again. */
interface Consents {
  acceptTerms: number
  acceptPrivacy: number
}

/** As they were saved before, or none. */
export function consentsOf({ acceptTerms, acceptPrivacy, termsVersion, privacyVersion }: Answers): Consents {
  return {
    acceptTerms: acceptTerms === true ? Number(termsVersion) : 0,
    acceptPrivacy: acceptPrivacy === true ? Number(privacyVersion) : 0,
  }
}

/** Returns what is sent of them: a tick counts for the text that is shown. */
export function consentAnswers({ acceptTerms, acceptPrivacy }: Consents, { legalTexts }: PortalSettings) {
  const termsVersion = versionOf(legalTexts.terms)
  const privacyVersion = versionOf(legalTexts.privacy)
  return {
    acceptTerms: acceptTerms === termsVersion,
    acceptPrivacy: acceptPrivacy === privacyVersion,
    termsVersion,
    privacyVersion,
  }
}

function versionOf(text: { version: number } | undefined): number {
  return text?.version ?? 1
}

interface ConsentFieldsProps {
  values: Consents
  errors: Readonly<Record<string, string>>
  onTick: (change: Partial<Consents>) => void
}

/** Terms and privacy: each can be read before it is ticked. */
export function ConsentFields({ values, errors, onTick }: ConsentFieldsProps) {
  const { settings } = useRegistration()
  const { acceptTerms, acceptPrivacy, termsVersion, privacyVersion } = consentAnswers(values, settings)
  const [shown, setShown] = useState<'terms' | 'privacy' | null>(null)
  const text = shown && settings.legalTexts[shown]
  const read = (key: 'terms' | 'privacy') => (
    <button type="button" className="text-button" onClick={() => setShown(key)}>
      {settings.legalTexts[key]?.title}
    </button>
  )
  return (
    <div className="stack">
      <Checkbox
        checked={acceptTerms}
        error={errors['acceptTerms']}
        onChange={(event) => onTick({ acceptTerms: event.target.checked ? termsVersion : 0 })}
      >
        <Trans>I have read and accept the {read('terms')}.</Trans>
      </Checkbox>
      <Checkbox
        checked={acceptPrivacy}
        error={errors['acceptPrivacy']}
        onChange={(event) => onTick({ acceptPrivacy: event.target.checked ? privacyVersion : 0 })}
      >
        <Trans>I have read the {read('privacy')}.</Trans>
      </Checkbox>
      {text && <LegalDialog text={text} onClose={() => setShown(null)} />}
    </div>
  )
}
