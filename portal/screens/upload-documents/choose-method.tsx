import { IconChevronRight, IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { QrCode } from '#ui/data/qr-code.tsx'
import { StepHeader } from '#ui/layout/wizard.tsx'
import { leave } from '../../layout/leave.ts'

/** choose_method: on this device, or with the camera of a phone that continues on this page. */
export function ChooseMethod({ onChosen }: { onChosen: () => void }) {
  const { t } = useLingui()
  const [onPhone, setOnPhone] = useState(false)
  const address = location.origin + portalPaths.uploadDocuments
  return (
    <>
      <StepHeader title={<Trans>Choose how to upload your documents</Trans>}>
        <Trans>
          We need a document to verify your identity and a document to verify your address. You can upload images or PDF
          files.
        </Trans>
      </StepHeader>
      <ul className="document-choices">
        <li>
          <button type="button" className="document-choice" onClick={onChosen}>
            <span className="document-choice-mark">
              <IconDeviceDesktop aria-hidden="true" />
            </span>
            <span className="grow">
              <b className="strong">{t`On this device`}</b>
              <span className="muted size-14">{t`Choose files or use the camera`}</span>
            </span>
            <IconChevronRight aria-hidden="true" />
          </button>
        </li>
        <li>
          <button
            type="button"
            className="document-choice"
            aria-expanded={onPhone}
            onClick={() => setOnPhone(!onPhone)}
          >
            <span className="document-choice-mark">
              <IconDeviceMobile aria-hidden="true" />
            </span>
            <span className="grow">
              <b className="strong">{t`On my phone`}</b>
              <span className="muted size-14">{t`Take photos on your phone. This page updates automatically.`}</span>
            </span>
            <IconChevronRight aria-hidden="true" />
          </button>
        </li>
      </ul>
      {onPhone && (
        <div className="sheet padded document-phone">
          <QrCode text={address} label={t`QR code to open this page on your phone`} />
          <div className="stack">
            <p>{t`Scan the code with your phone and log in there. Your uploads will appear here.`}</p>
            <p className="muted size-14 unbroken">{address.replace(/^https?:\/\//, '')}</p>
            <p className="row muted size-14" role="status">
              <Spinner />
              <Trans>Waiting for the first document</Trans>
            </p>
          </div>
        </div>
      )}
      <GoOnLater />
    </>
  )
}

/** Says that nothing is lost by leaving. */
export function GoOnLater() {
  return (
    <p className="size-14 muted document-later">
      <Trans>
        No document with you?{' '}
        <button type="button" className="text-button" onClick={leave}>
          Continue later
        </button>
      </Trans>
    </p>
  )
}
