import { IconCamera, IconFileCheck, IconFileTypePdf, IconUpload } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Failure } from './failure.ts'
import { FieldError } from './field.tsx'
import './file-slot.css'
import { uploadFile } from './upload.ts'

/** JPEG, PNG, WebP or PDF (product-decisions section 6); asking for JPEG makes phones convert. */
const accepted = 'image/jpeg,image/png,image/webp,application/pdf'

export interface FileSlotProps {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** The file kept on the server, or '' while there is none. */
  filename: string
  onFilename: (filename: string) => void
  /** Largest file in bytes, from settings. */
  bytesMax: number
  /** Why it cannot be changed now ("is being checked"). */
  lockedReason?: ReactNode
  /** An address that shows the kept file: a signed link or a blob address. */
  shownUrl?: string | null
  /** Told when a file starts and stops going up: what waits for it can say so. */
  onSending?: (sending: boolean) => void
}

type Sending =
  | { state: 'idle' }
  | { state: 'sending'; file: File; part: number; stop: AbortController }
  | { state: 'failed'; file: File; sentence: ReactNode }

/** A place for one file: drop, choose or photograph, see it, watch it go up, stop it, try again. */
export function FileSlot({
  label,
  hint,
  error,
  filename,
  onFilename,
  bytesMax,
  lockedReason,
  shownUrl,
  onSending,
}: FileSlotProps) {
  const { t, i18n } = useLingui()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState<Sending>({ state: 'idle' })
  const [over, setOver] = useState(false)
  const [picture, setPicture] = useState<string | null>(null)
  useEffect(() => () => void (picture && URL.revokeObjectURL(picture)), [picture])
  const isSending = sending.state === 'sending'
  useEffect(() => onSending?.(isSending), [isSending, onSending])

  const send = async (file: File) => {
    const megabytes = (bytes: number) =>
      new Intl.NumberFormat(i18n.locale, { maximumFractionDigits: 1 }).format(bytes / 1_048_576)
    if (file.size > bytesMax) {
      setSending({
        state: 'failed',
        file,
        sentence: t`This file has ${megabytes(file.size)} MB. Up to ${megabytes(bytesMax)} MB is possible; a photo instead of a scan is usually smaller.`,
      })
      return
    }
    const stop = new AbortController()
    setPicture(file.type.startsWith('image/') ? URL.createObjectURL(file) : null)
    setSending({ state: 'sending', file, part: 0, stop })
    try {
      const kept = await uploadFile(file, {
        signal: stop.signal,
        onProgress: (part) => setSending({ state: 'sending', file, part, stop }),
      })
      setSending({ state: 'idle' })
      onFilename(kept.filename)
    } catch (thrown) {
      if (thrown instanceof Failure && thrown.code === 'stopped') {
        setSending({ state: 'idle' })
        setPicture(null)
      } else
        setSending({
          state: 'failed',
          file,
          sentence: thrown instanceof Failure ? (thrown.errors['file'] ?? thrown.error) : t`Something went wrong!`,
        })
    }
  }
  const picked = (files: FileList | null) => {
    const file = files?.[0]
    if (file) void send(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!lockedReason) picked(event.dataTransfer.files)
  }
  const preview = picture ?? (shownUrl && !/\.pdf(\?|$)/i.test(shownUrl) ? shownUrl : null)
  const kept = filename !== '' && sending.state === 'idle'
  return (
    <div className="file-slot" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-error`}>
      <p className="field-label" id={`${id}-label`}>
        {label}
      </p>
      {hint && <p className="hint">{hint}</p>}
      <div
        className={`file-slot-place ${over ? 'over' : ''} ${error ? 'wrong' : ''} ${kept ? 'kept' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(!lockedReason)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {preview && <img className="file-slot-picture" src={preview} alt="" />}
        {!preview && kept && <IconFileTypePdf className="file-slot-mark" aria-hidden="true" />}
        {sending.state === 'sending' ? (
          <UploadProgress sending={sending} />
        ) : (
          <div className="file-slot-words">
            {kept && (
              <p className="row">
                <IconFileCheck aria-hidden="true" />
                <b className="strong">
                  <Trans>Uploaded</Trans>
                </b>
              </p>
            )}
            {lockedReason ? (
              <p className="muted size-14">{lockedReason}</p>
            ) : (
              <>
                {!kept && (
                  <p className="muted size-14 file-slot-drop">
                    <Trans>Drop the file here, or</Trans>
                  </p>
                )}
                <div className="row wrap">
                  <Button
                    size="small"
                    icon={<IconUpload className="small" aria-hidden="true" />}
                    onClick={() => picker.current?.click()}
                    aria-describedby={`${id}-error`}
                    data-wrong={error ? '' : undefined}
                  >
                    {kept ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
                    <span className="unseen"> {label}</span>
                  </Button>
                  <span className="file-slot-camera">
                    <Button
                      size="small"
                      icon={<IconCamera className="small" aria-hidden="true" />}
                      onClick={() => camera.current?.click()}
                    >
                      <Trans>Take a photo</Trans>
                    </Button>
                  </span>
                </div>
              </>
            )}
          </div>
        )}
        <input
          ref={picker}
          className="unseen"
          type="file"
          accept={accepted}
          tabIndex={-1}
          aria-label={typeof label === 'string' ? label : t`File`}
          onChange={(event) => picked(event.target.files)}
        />
        <input
          ref={camera}
          className="unseen"
          type="file"
          accept="image/jpeg"
          capture="environment"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => picked(event.target.files)}
        />
      </div>
      <FieldError id={`${id}-error`}>{sending.state === 'failed' ? sending.sentence : error}</FieldError>
      {sending.state === 'failed' && sending.file.size <= bytesMax && (
        <button type="button" className="text-button size-14" onClick={() => void send(sending.file)}>
          <Trans>Try again</Trans>
        </button>
      )}
    </div>
  )
}

function UploadProgress({ sending }: { sending: Extract<Sending, { state: 'sending' }> }) {
  const { t } = useLingui()
  const percent = Math.round(sending.part * 100)
  return (
    <div className="file-slot-words">
      <p className="size-14">{percent < 100 ? t`Uploading ${sending.file.name}` : t`Checking ${sending.file.name}`}</p>
      <progress className="progress-bar" max={100} value={percent} aria-label={t`Upload`} />
      <Button size="small" kind="quiet" onClick={() => sending.stop.abort()}>
        <Trans>Stop</Trans>
      </Button>
    </div>
  )
}
