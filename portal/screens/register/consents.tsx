import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import type { PortalSettings } from '../../portal-settings.ts'
import { type Answers, useRegistration } from './registration-state.ts'

const LegalDialog = lazyPart(async () => (await import('../../layout/legal-dialog.tsx')).default)

/** The ticked version of each text, 0 for none: a newer text must be read and ticked again. */
interface Consents {
  acceptTerms: number
  acceptPrivacy: number
}

/** Returns the consents as saved before, or none. */
export function consentsOf({ acceptTerms, acceptPrivacy, termsVersion, privacyVersion }: Answers): Consents {
  return {
    acceptTerms: acceptTerms === true ? Number(termsVersion) : 0,
    acceptPrivacy: acceptPrivacy === true ? Number(privacyVersion) : 0,
  }
}

/** Returns the answers of the consents: a tick counts for the text shown. */
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

/** Terms and privacy policy: each can be read before it is ticked. */
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
