import { IconAlertTriangle } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { CaseDocument } from '#contract/office/documents.ts'

type Comparison = CaseDocument['comparisons'][number]

/** Values up to this confidence must be compared with the image. */
const doubtfulMax = 0.95

export function isDoubtful({ confidence }: Pick<Comparison, 'confidence'>): boolean {
  return confidence !== null && confidence <= doubtfulMax
}

/** The reader's confidence in a field, with a mark if it must be compared with the image. */
export function Confidence({ line }: { line: Comparison }) {
  const { t, i18n } = useLingui()
  if (line.confidence === null) return null
  // Truncated, not rounded: 94.9 must not become 95.
  const share = i18n.number(Math.floor(line.confidence * 100) / 100, { style: 'percent' })
  return isDoubtful(line) ? (
    <span className="case-confidence tone-wait">
      <IconAlertTriangle className="small" aria-hidden="true" /> <Trans>{share}, compare with the image</Trans>
    </span>
  ) : (
    <span className="case-confidence faint">{t`read, ${share}`}</span>
  )
}
