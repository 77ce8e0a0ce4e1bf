import { IconAlertTriangle } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { CaseDocument } from '#contract/office/documents.ts'

type Comparison = CaseDocument['comparisons'][number]

/** What is not above it is to be compared with the image. */
const sureMost = 0.95

export function isDoubtful({ confidence }: Pick<Comparison, 'confidence'>): boolean {
  return confidence !== null && confidence <= sureMost
}

/** How sure the reader is of a field; one to compare with the image is marked. */
export function Confidence({ line }: { line: Comparison }) {
  const { i18n } = useLingui()
  if (line.confidence === null) return null
  // Cut off, not rounded: 94.9 is no 95.
  const share = i18n.number(Math.floor(line.confidence * 100) / 100, { style: 'percent' })
  return isDoubtful(line) ? (
    <span className="case-confidence tone-wait">
      <IconAlertTriangle className="small" aria-hidden="true" /> <Trans>{share}, compare with the image</Trans>
    </span>
  ) : (
    <span className="case-confidence faint">
      <Trans>read, {share}</Trans>
    </span>
  )
}
