import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import { Checkbox } from '#ui/checkbox.tsx'
import { useRegistration } from './registration-state.ts'

const LegalDialog = lazy(() => import('../../layout/legal-dialog.tsx'))

type ConsentName = 'acceptTerms' | 'acceptPrivacy'

interface ConsentsProps {
  values: Readonly<Record<ConsentName, boolean>>
  errors: Readonly<Record<string, string>>
  onTick: (name: ConsentName, ticked: boolean) => void
}

/** Terms and privacy: each can be read before it is ticked. */
export function Consents({ values, errors, onTick }: ConsentsProps) {
  const { settings } = useRegistration()
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
        checked={values.acceptTerms}
        error={errors['acceptTerms']}
        onChange={(event) => onTick('acceptTerms', event.target.checked)}
      >
        <Trans>I have read and accept the {read('terms')}.</Trans>
      </Checkbox>
      <Checkbox
        checked={values.acceptPrivacy}
        error={errors['acceptPrivacy']}
        onChange={(event) => onTick('acceptPrivacy', event.target.checked)}
      >
        <Trans>I have read the {read('privacy')}.</Trans>
      </Checkbox>
      {text && (
        <Suspense fallback={null}>
          <LegalDialog text={text} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </div>
  )
}
