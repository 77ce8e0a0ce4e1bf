import { IconArrowLeft } from '@tabler/icons-react'
import { Trans } from '@lingui/react/macro'
import type { DocumentKind } from '#rules/document-kinds.ts'
import { useBrowserBack } from '#ui/navigation/browser-back.ts'
import { Button } from '#ui/forms/button.tsx'
import type { Country } from '../../portal-settings.ts'
import { ShownDocument } from '../documents/shown-document.tsx'
import type { DocumentRecord } from './client-documents.ts'

interface LockedDocumentProps {
  kind: DocumentKind
  record: DocumentRecord
  countries: readonly Country[]
  onBack: () => void
}

/** Being checked, or approved: no upload and no submit (requirements 6.3), only the way back to its list. */
export function LockedDocument({ onBack, ...document }: LockedDocumentProps) {
  useBrowserBack(onBack)
  return (
    <>
      <ShownDocument {...document} />
      <footer className="wizard-footer">
        <Button onClick={onBack} icon={<IconArrowLeft aria-hidden="true" />}>
          <Trans>BACK</Trans>
        </Button>
      </footer>
    </>
  )
}
