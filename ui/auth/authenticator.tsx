/** Set-up of a second factor, for both apps: the authenticator's key, then the recovery codes, shown once. */
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../forms/button.tsx'
import { CopyButton } from '../data/copy-button.tsx'
import { lazyPart } from '../loading/lazy.tsx'
import { groupedByFour } from '../text/code-format.ts'
import './authenticator.css'

/** Few people who log in ever set one up. */
const QrCode = lazyPart(async () => (await import('../data/qr-code.tsx')).QrCode)

interface AuthenticatorKeyProps {
  secret: string
  uri: string
  /** Instructions. */
  steps: ReactNode
  /** Below the key: the field for the first code. */
  children?: ReactNode
}

/** The key of a second factor as a QR code and as text. */
export function AuthenticatorKey({ secret, uri, steps, children }: AuthenticatorKeyProps) {
  const { t } = useLingui()
  return (
    <div className="authenticator">
      <div className="authenticator-code">
        <QrCode text={uri} label={t`Code for your authenticator app`} size={168} />
      </div>
      <div className="stack-2">
        {steps}
        <p className="muted">{t`No camera? Enter this key in the app:`}</p>
        <p className="row">
          <span className="authenticator-key">{groupedByFour(secret).replaceAll('\u00a0', ' ')}</span>
          <CopyButton text={secret} name={t`Copy key`} />
        </p>
        {children}
      </div>
    </div>
  )
}

/** The recovery codes, each valid once instead of the app; shown only now. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useLingui()
  return (
    <>
      <ul className="sheet recovery-codes" aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row wrap">
        <CopyButton text={codes.join('\n')} name={t`Copy codes`}>{t`Copy codes`}</CopyButton>
        <Button kind="primary" onClick={onKept}>{t`I have saved them`}</Button>
      </div>
    </>
  )
}
