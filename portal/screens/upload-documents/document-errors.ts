/** All errors of a document form before it is sent. */
import { useLingui } from '@lingui/react/macro'
import { type DocumentKind, checkDocumentDate, hasBack, isIdentityKind } from '#rules/documents.ts'
import { dayIn, type PlainDate } from '#rules/dates.ts'
import { type FieldErrors, noErrors } from '#ui/forms/form-state.ts'
import { usePortalSettings } from '../../portal-settings.ts'

export interface DocumentValues {
  country: string
  documentNumber: string
  expiryDay: string
  expiryMonth: string
  expiryYear: string
  documentFront: string
  documentBack: string
}

/** Returns everything that is missing, and an impossible date. The server checks a complete form. */
export function useDocumentErrors(kind: DocumentKind): (values: DocumentValues) => FieldErrors {
  const { t } = useLingui()
  const timeZone = usePortalSettings()?.firm.timeZone ?? 'Europe/London'
  const dateFault = (day: PlainDate) => {
    const wrongDates = {
      'date-invalid': t`Enter a valid date.`,
      'document-expired': t`This document has expired. Upload a valid one.`,
      'issue-in-future': t`The date of issue is in the future. Check day, month and year.`,
      'issue-too-old': t`A proof of address must be dated within the last 3\u00a0months.`,
    }
    const problem = checkDocumentDate(kind, day, dayIn(new Date(), timeZone))
    return problem === null ? noErrors : { expiryDay: wrongDates[problem] }
  }
  const missingOf = useMissingErrors(kind)
  return (values) => {
    const missing = missingOf(values)
    if (Object.keys(missing).length === 0) return noErrors
    const day = {
      day: Number(values.expiryDay),
      month: Number(values.expiryMonth),
      year: Number(values.expiryYear),
    }
    return { ...dateFault(day), ...missing }
  }
}

/** Returns everything that is missing, by field. */
function useMissingErrors(kind: DocumentKind): (values: DocumentValues) => FieldErrors {
  const { t } = useLingui()
  const twoSides = hasBack(kind)
  const whole = () => (kind === 'passport' ? t`Upload the photo page.` : t`Upload the document.`)
  const front = () => (twoSides ? t`Upload the front side.` : whole())
  const date = () => (isIdentityKind(kind) ? t`Please, set the expiry date.` : t`Please, set the date of issue.`)
  return (values) => ({
    ...(values.documentFront ? noErrors : { documentFront: front() }),
    ...(values.documentBack || !twoSides ? noErrors : { documentBack: t`Upload the back side.` }),
    ...(values.country ? noErrors : { country: t`This field is required.` }),
    ...(values.documentNumber.trim() ? noErrors : { documentNumber: t`This field is required.` }),
    ...(values.expiryDay && values.expiryMonth && values.expiryYear ? noErrors : { expiryDay: date() }),
  })
}
