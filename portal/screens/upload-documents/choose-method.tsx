import { IconChevronRight, IconDeviceDesktop, IconDeviceMobile, IconDevices } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { QrCode } from '#ui/data/qr-code.tsx'
import { StepHeader } from '#ui/layout/wizard.tsx'
import { logOut } from '../../layout/logout.ts'
import { useClient } from '../../session.ts'

/** On a touch screen the device may be the phone itself. */
const isTouch = matchMedia('(pointer: coarse)').matches

/** choose_method: on this device, or on another one, as a phone with its camera, that continues on this page. */
export function ChooseMethod({ onChosen }: { onChosen: () => void }) {
  const { t } = useLingui()
  const [isElsewhere, setElsewhere] = useState(false)
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
              {isTouch ? <IconDeviceMobile aria-hidden="true" /> : <IconDeviceDesktop aria-hidden="true" />}
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
            aria-expanded={isElsewhere}
            onClick={() => setElsewhere(!isElsewhere)}
          >
            <span className="document-choice-mark">
              {isTouch ? <IconDevices aria-hidden="true" /> : <IconDeviceMobile aria-hidden="true" />}
            </span>
            <span className="grow">
              <b className="strong">{isTouch ? t`On another device` : t`On my phone`}</b>
              <span className="muted size-14">
                {isTouch
                  ? t`Upload your documents there. This page updates automatically.`
                  : t`Take photos on your phone. This page updates automatically.`}
              </span>
            </span>
            <IconChevronRight aria-hidden="true" />
          </button>
        </li>
      </ul>
      {isElsewhere && (
        <div className="sheet padded document-phone">
          <QrCode
            text={address}
            label={
              isTouch ? t`QR code to open this page on another device` : t`QR code to open this page on your phone`
            }
          />
          <div className="stack">
            <p>
              {isTouch
                ? t`On the other device, scan the code or enter this address, and log in. Your uploads will appear here.`
                : t`Scan the code with your phone and log in there. Your uploads will appear here.`}
            </p>
            <p className="muted size-14 unbroken">{address.replace(/^https?:\/\//, '')}</p>
            <p className="row muted size-14" role="status">
              <Spinner />
              <Trans>Waiting for the first document</Trans>
            </p>
          </div>
        </div>
      )}
      <ContinueLaterNote />
    </>
  )
}

/** Leaves without losing anything: the portal if the client may open it, otherwise by a logout that says so. */
export function ContinueLaterNote() {
  const client = useClient()
  const [, navigate] = useLocation()
  const mayOpenAccounts = client?.status === 'approved' || client?.gcenApiKYCPass === true
  const leave = () => {
    if (mayOpenAccounts) navigate(portalPaths.tradingAccounts)
    else logOut('paused')
  }
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
