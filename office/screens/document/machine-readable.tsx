import { IconAlertTriangle, IconCheck, IconScan } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { checkDocumentMrz, getDocumentCase, type CaseDocument } from '#contract/office/documents.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { fieldErrors } from '#ui/api/api-error.ts'
import { focusOnRender } from '#ui/a11y/focus.ts'
import { submitOnEnter, useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { TextArea } from '#ui/forms/text-field.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { useStaff } from '../../session.ts'
import { isDoubtful } from './confidence.tsx'

/**
 * The machine-readable zone: read from the image by the server and confirmed by a clerk, or entered; then compared with
 * document and client. A wrong entry can be corrected.
 */
export function MachineReadable({ document }: { document: CaseDocument }) {
  const { t } = useLingui()
  const { staff } = useStaff()
  /** The version of the document from which the lines are being entered. */
  const [typing, setTyping] = useState<number | null>(null)
  const [text, setText] = useState('')
  const check = useEndpointMutation(checkDocumentMrz, { refreshes: [getDocumentCase], onDone: () => setTyping(null) })
  const { mrz, reading } = document
  const read = mrz?.lines ?? reading?.lines ?? []
  const may = staff.roles.some((role) => role === 'compliance' || role === 'administrator')
  const lines = zoneLines(text)
  const begin = () => {
    setText(read.join('\n'))
    setTyping(document.version)
  }
  const send = () => check.mutate({ id: document.id, lines, version: typing ?? document.version })
  const confirms = may && typing === null && reading?.state === 'read' && read.length > 0
  const confirm = () => {
    if (!check.isPending) check.mutate({ id: document.id, lines: [...read], version: document.version })
  }
  useShortcuts({ m: confirms ? confirm : undefined })
  if (!mrz && !reading && !may) return null
  return (
    <section className="case-mrz">
      <div className="row between">
        <h3>{t`Machine-readable zone`}</h3>
        {may && typing === null && (
          <Button size="small" onClick={begin}>
            {mrz || confirms ? <Trans>Correct entry</Trans> : <Trans>Enter and check</Trans>}
          </Button>
        )}
      </div>
      {mrz && <Digits mrz={mrz} />}
      {reading && <ReadingState reading={reading} doubtful={document.comparisons.some(isDoubtful)} />}
      {typing === null && read.length > 0 && <pre>{read.join('\n')}</pre>}
      {confirms && (
        <div className="row end">
          <Button kind="tinted" keyHint="m" pending={check.isPending} onClick={confirm}>{t`Confirm reading`}</Button>
        </div>
      )}
      {check.error && typing === null && <Alert kind="bad" title={<ApiErrorText failure={check.error} />} />}
      {typing !== null && (
        <div className="stack-2">
          <TextArea
            label={t`Lines as shown in the image`}
            ref={focusOnRender}
            rows={3}
            spellCheck={false}
            autoCapitalize="characters"
            value={text}
            error={
              check.error
                ? (Object.values(fieldErrors(check.error))[0] ?? <ApiErrorText failure={check.error} />)
                : undefined
            }
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              // Enter adds a line until the zone is complete; then it submits it.
              const reads = isWhole(lines) && !event.shiftKey
              if (reads || event.ctrlKey || event.metaKey) submitOnEnter(send)(event)
            }}
          />
          <div className="row end">
            <Button onClick={() => setTyping(null)}>{t`Cancel`}</Button>
            <Button
              kind="tinted"
              pending={check.isPending}
              disabledReason={lines.length < 2 ? t`A passport has 2 lines, an identity card 3.` : undefined}
              onClick={send}
            >
              <Trans>Check</Trans>
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}

/** The result of the automatic reading, and what the clerk must check. */
function ReadingState({ reading, doubtful }: { reading: NonNullable<CaseDocument['reading']>; doubtful: boolean }) {
  const { t } = useLingui()
  const texts = {
    waiting: <Trans>The image is being read. You can enter the lines yourself.</Trans>,
    read: doubtful
      ? t`Read from the image, not confirmed yet. Compare the marked fields with the image.`
      : t`Read from the image, not confirmed yet.`,
    none: <Trans>No machine-readable zone was found in the image. Enter the lines yourself.</Trans>,
    failed: <Trans>The image could not be read automatically. Enter the lines yourself.</Trans>,
  }
  return (
    <p className="case-reading muted">
      <IconScan className="small" aria-hidden="true" /> {texts[reading.state]}
      {reading.chosen.length > 0 && (
        <>
          {' '}
          <Trans>Unclear characters were determined by the check digit.</Trans>
        </>
      )}
    </p>
  )
}

/** Returns the lines of a zone: entered with line breaks, or without any, as scanners send them. */
function zoneLines(text: string): string[] {
  const lines = text
    .toUpperCase()
    .split('\n')
    .map((line) => line.replaceAll(/\s/g, ''))
    .filter((line) => line !== '')
  const [only = ''] = lines
  const length = lengthsInOne[only.length]
  if (lines.length !== 1 || length === undefined) return lines
  return only.match(new RegExp(`.{${length}}`, 'g')) ?? lines
}

/** ICAO 9303: a passport has 2 lines of 44, cards have 2 of 36 or 3 of 30. Line length by total length. */
const lengthsInOne: Readonly<Record<number, number>> = { 88: 44, 72: 36, 90: 30 }
const cardLineLength = 30

function isWhole(lines: readonly string[]): boolean {
  return lines.length >= (lines[0]?.length === cardLineLength ? 3 : 2)
}

function Digits({ mrz }: { mrz: NonNullable<CaseDocument['mrz']> }) {
  const { t } = useLingui()
  const { checkDigits: all, checkDigitsRight: right } = mrz
  return mrz.valid ? (
    <span className="tone-ok strong">
      <IconCheck className="small" aria-hidden="true" /> <Trans>all {all} check digits valid</Trans>
    </span>
  ) : (
    <span className="tone-wait strong">
      <IconAlertTriangle className="small" aria-hidden="true" /> {t`${right} of ${all} check digits valid`}
    </span>
  )
}
