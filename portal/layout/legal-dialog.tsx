import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'

interface LegalText {
  version: number
  title: string
  text: string
}

/** Shows a legal text of the firm. */
export default function LegalDialog({ text, onClose }: { text: LegalText; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog title={text.title} size="wide" onClose={onClose} actions={<Button onClick={onClose}>{t`Close`}</Button>}>
      <div className="stack">
        <Paragraphs text={text.text} />
        <p className="muted size-13">
          <Trans>Version {text.version}</Trans>
        </p>
      </div>
    </Dialog>
  )
}

/** A legal text; empty lines separate its paragraphs. */
export function Paragraphs({ text }: { text: string }) {
  return (
    <div className="stack measure">
      {text.split(/\n\s*\n/).map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
    </div>
  )
}
