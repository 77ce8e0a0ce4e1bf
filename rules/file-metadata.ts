/**
 * Metadata of an uploaded file, and which of it is suspicious (requirements 29.8, 24.53). Anyone can write or remove
 * it: its contents are a warning, its absence proves nothing.
 */
import { dayMs } from './dates.ts'
import { takenBeforeUploadDays } from './constants.ts'

export const metadataWarnings = ['image-editor', 'taken-before', 'taken-after', 'pdf-editor', 'pdf-modified'] as const
export type MetadataWarning = (typeof metadataWarnings)[number]

export interface FileMetadata {
  /** `2026-05-03T10:14:05` as the camera's clock showed it, without a time zone. */
  readonly takenAt: string | null
  /** Set by cameras too: phones write their system's version. */
  readonly software: string | null
  /** The program that wrote the PDF. */
  readonly producer: string | null
  readonly producedAt: Date | null
  readonly modifiedAt: Date | null
}

const imageEditors =
  /photoshop|lightroom|\bgimp\b|affinity|pixelmator|paint\.net|paint ?shop|photopea|photo editor|photoscape|snapseed|picsart|\bcanva\b|facetune|\bkrita\b|\bacorn\b|\bfotor\b|pixlr|corel|capture one|darktable|luminar|polarr|\bvsco\b|meitu|beautyplus|photodirector|picasa|irfanview|xnview|acdsee|imagemagick|inkscape|illustrator/i
/** Includes word processors: banks' systems create statements with other programs. */
const pdfEditors =
  /photoshop|illustrator|indesign|\bgimp\b|inkscape|\bcanva\b|corel|affinity|scribus|acrobat (pro|standard|dc)|foxit|phantompdf|pdf-?xchange|\bnitro\b|pdfescape|sejda|ilovepdf|smallpdf|pdffiller|pdfelement|wondershare|soda pdf|master pdf|pdf studio|qoppa|pdf expert|libreoffice|openoffice|microsoft.{0,3} (word|excel|powerpoint|publisher)|google docs|\bwps\b|wordperfect/i

/** Returns the suspicious metadata. Days allow for clocks in any time zone. */
export function metadataWarningsOf(metadata: FileMetadata, uploadedAt: Date): MetadataWarning[] {
  const { takenAt, software, producer, producedAt, modifiedAt } = metadata
  const aheadMs = takenAt === null ? 0 : Date.parse(`${takenAt}Z`) - uploadedAt.getTime()
  const found: Readonly<Record<MetadataWarning, boolean>> = {
    'image-editor': software !== null && imageEditors.test(software),
    'taken-before': aheadMs < -takenBeforeUploadDays * dayMs,
    'taken-after': aheadMs > dayMs,
    'pdf-editor': producer !== null && pdfEditors.test(producer),
    'pdf-modified': producedAt !== null && modifiedAt !== null && modifiedAt.getTime() - producedAt.getTime() > dayMs,
  }
  return metadataWarnings.filter((warning) => found[warning])
}
