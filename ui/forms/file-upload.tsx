import { IconCamera, IconFileCheck, IconFileTypePdf, IconPhoto, IconUpload } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { FieldError } from './field.tsx'
import './file-upload.css'
import { type FileUploadState, useUnloadGuard, useFileUpload } from './use-file-upload.ts'

/** JPEG, PNG, WebP or PDF (requirements 6.11); requesting JPEG makes phones convert. */
const accepted = 'image/jpeg,image/png,image/webp,application/pdf'

interface FileUploadProps {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** The file stored on the server, or '' if there is none. */
  filename: string
  onFilename: (filename: string) => void
  /** Maximum size in bytes, from settings. */
  bytesMax: number
  /** A URL of the stored file: a signed link or a blob URL. */
  shownUrl?: string | null
  /** Called when an upload starts and ends, for controls that wait for it. */
  onSending?: (sending: boolean) => void
}

/** A slot for one file: drop, choose or photograph it, see its upload, cancel, retry. */
export function FileUpload({
  label,
  hint,
  error,
  filename,
  onFilename,
  bytesMax,
  shownUrl,
  onSending,
}: FileUploadProps) {
  const { t } = useLingui()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [taken, setTaken] = useState<{ filename: string; picture: string | null } | null>(null)
  const { sending, send, refuse } = useFileUpload(bytesMax, (name, picture) => {
    setTaken({ filename: name, picture })
    onFilename(name)
  })
  const isSending = sending.state === 'sending'
  useEffect(() => onSending?.(isSending), [isSending, onSending])
  useUnloadGuard()
  // A file is shown as soon as its upload starts; a rejected or cancelled one is replaced by the stored file.
  const shown = shownUrl && !/\.pdf(\?|$)/i.test(shownUrl) ? shownUrl : null
  const storedPicture = taken?.filename === filename ? taken.picture : shown
  const preview = isSending ? sending.picture : storedPicture
  const kept = filename !== '' && !isSending
  // An earlier error of the slot is cleared once an upload starts.
  const wrong = isSending ? undefined : error
  const isMarked = Boolean(wrong) || (sending.state === 'failed' && !kept)
  const picked = (input: HTMLInputElement) => {
    const file = input.files?.[0]
    // Allows choosing the same file again after a correction.
    input.value = ''
    if (file) void send(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const { files } = event.dataTransfer
    const file = files.item(0)
    if (!file) return
    if (files.length > 1) refuse(() => t`Upload one file at a time.`)
    else void send(file)
  }
  return (
    <div className="file-slot" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-error`}>
      <p className="field-label" id={`${id}-label`}>
        {label}
      </p>
      {hint && <p className="hint">{hint}</p>}
      <div
        className={`file-slot-place ${over ? 'over' : ''} ${isMarked ? 'wrong' : ''} ${kept ? 'kept' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {preview && <img className="file-slot-picture" src={preview} alt="" />}
        {!preview && kept && <FileIcon filename={filename} />}
        {sending.state === 'sending' ? (
          <UploadProgress sending={sending} />
        ) : (
          <div className="file-slot-words">
            {kept && (
              <p className="row">
                <IconFileCheck aria-hidden="true" />
                <b className="strong">{t`Uploaded`}</b>
              </p>
            )}
            {!kept && <p className="muted size-14 file-slot-drop">{t`Drop the file here, or`}</p>}
            <div className="row wrap">
              <Button
                size="small"
                icon={<IconUpload className="small" aria-hidden="true" />}
                onClick={() => picker.current?.click()}
                aria-describedby={`${id}-error`}
                data-wrong={wrong ? '' : undefined}
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
                  <span className="unseen"> {label}</span>
                </Button>
              </span>
            </div>
          </div>
        )}
        <input
          ref={picker}
          className="unseen"
          type="file"
          accept={accepted}
          tabIndex={-1}
          aria-label={typeof label === 'string' ? label : t`File`}
          onChange={(event) => picked(event.target)}
        />
        <input
          ref={camera}
          className="unseen"
          type="file"
          accept="image/jpeg"
          capture="environment"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => picked(event.target)}
        />
      </div>
      <FieldError id={`${id}-error`}>{sending.state === 'failed' ? uploadErrorText(sending, kept) : wrong}</FieldError>
      {sending.state === 'failed' && sending.again && (
        <button type="button" className="text-button size-14" onClick={sending.again}>{t`Try again`}</button>
      )}
    </div>
  )
}

/** Returns the error; it says too if another file stays in place. */
function uploadErrorText({ sentence }: Extract<FileUploadState, { state: 'failed' }>, kept: boolean): ReactNode {
  return kept ? (
    <>
      {sentence()} <Trans>The previous file is kept.</Trans>
    </>
  ) : (
    sentence()
  )
}

/** Replaces the image of a PDF, or of an image that is being uploaded. */
function FileIcon({ filename }: { filename: string }) {
  const Icon = /\.(jpe?g|png|webp)$/i.test(filename) ? IconPhoto : IconFileTypePdf
  return <Icon className="file-slot-mark" aria-hidden="true" />
}

function UploadProgress({ sending }: { sending: Extract<FileUploadState, { state: 'sending' }> }) {
  const { t } = useLingui()
  const percent = Math.round(sending.part * 100)
  return (
    <div className="file-slot-words">
      <p className="size-14">{percent < 100 ? t`Uploading ${sending.file.name}` : t`Checking ${sending.file.name}`}</p>
      <progress className="progress-bar" max={100} value={percent} aria-label={t`Upload`} />
      <Button size="small" onClick={() => sending.stop.abort()}>{t`Cancel upload`}</Button>
    </div>
  )
}
