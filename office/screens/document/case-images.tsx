import { IconX } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { CaseDocument, DocumentCase } from '#contract/office/documents.ts'
import { IconButton } from '#ui/forms/button.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { ImageViewer, type ViewedSide } from '../../decision/image-viewer.tsx'
import { useMaskedReason } from '../../decision/masked-file.ts'

const address = z.object({ beside: z.catch(z.string(), '') })

/** The images of the open document, beside those of another one or of its other side when comparing. */
export function CaseImages({ found, chosen }: { found: DocumentCase; chosen: CaseDocument }) {
  const { t } = useLingui()
  const word = useDocumentLabel()
  const sidesOf = useSides()
  const [{ beside }, setAddress] = useUrlState(address)
  const [active, setActive] = useState<'first' | 'second'>('first')
  const sides = sidesOf(chosen)
  const choices = comparable(found.documents, chosen)
  const second = choices.find(({ id }) => id === beside)
  const show = (id: string) => {
    setAddress({ beside: id })
    setActive(id === '' ? 'first' : 'second')
  }
  const toggle = () => show(second ? '' : (choices[0]?.id ?? ''))
  const change = () => setActive(active === 'first' ? 'second' : 'first')
  useShortcuts({ b: choices.length > 0 ? toggle : undefined, o: second ? change : undefined })
  if (sides.length === 0) return null
  const compare = choices.length > 0 ? { shown: second !== undefined, toggle } : undefined
  if (!second) return <ImageViewer key={chosen.id} sides={sides} compare={compare} />
  return (
    <div className="case-pair">
      <ImageViewer
        key={chosen.id}
        sides={sides}
        compare={compare}
        name={word(chosen.kind)}
        isActive={active === 'first'}
        onActive={() => setActive('first')}
        head={<h2 className="case-pair-head">{word(chosen.kind)}</h2>}
      />
      <ImageViewer
        key={second.id === chosen.id ? `other side of ${second.id}` : second.id}
        sides={sidesOf(second)}
        firstSide={second.id === chosen.id ? 1 : 0}
        name={t`Compared document`}
        isActive={active === 'second'}
        onActive={() => setActive('second')}
        head={
          <div className="case-pair-head">
            <BareSelect
              aria-label={t`Compared document`}
              value={second.id}
              onChange={(event) => show(event.target.value)}
              options={choices.map(({ id, kind }) => ({ value: id, label: word(kind) }))}
            />
            <IconButton name={t`Close comparison (b)`} onClick={toggle}>
              <IconX aria-hidden="true" />
            </IconButton>
          </div>
        }
      />
    </div>
  )
}

/** Returns the other documents with an image first, then the open one if it has two sides. */
function comparable(documents: readonly CaseDocument[], chosen: CaseDocument): CaseDocument[] {
  const others = documents.filter(({ id, front, back }) => id !== chosen.id && (front ?? back) !== null)
  return chosen.front && chosen.back ? [...others, chosen] : others
}

function useSides(): (document: CaseDocument) => ViewedSide[] {
  const { t } = useLingui()
  const hiddenReason = useMaskedReason()
  const side = (name: string, file: CaseDocument['front']): ViewedSide[] =>
    file
      ? [
          {
            fileId: file.fileId,
            filename: file.filename,
            pages: file.pages,
            name,
            hiddenReason: hiddenReason(file.state),
          },
        ]
      : []
  return ({ front, back }) => [
    ...side(t({ message: 'Front', context: 'side of a document' }), front),
    ...side(t({ message: 'Back', context: 'side of a document' }), back),
  ]
}
