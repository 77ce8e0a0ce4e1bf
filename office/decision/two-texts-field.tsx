import { Trans, useLingui } from '@lingui/react/macro'
import type { ClientBrief } from '#contract/office/briefs.ts'
import { neutralReason, type NeutralKind, type StandardReason } from '#contract/office/rejection-reasons.ts'
import { TextArea } from '#ui/forms/text-field.tsx'
import { useTextsIn } from './client-texts.ts'
import { ReasonField } from './reason-field.tsx'

/** The two texts of a rejection. `clientText` is the client's text: null for none. */
interface TwoTexts {
  readonly reason: string
  readonly clientText: string | null
}

interface TwoTextsFieldProps {
  client: ClientBrief | undefined
  reasons: readonly StandardReason[]
  kind: NeutralKind
  value: TwoTexts
  onValue: (value: TwoTexts) => void
  /** The label of the choice of no text; absent if the client always receives one. */
  none?: string | undefined
  errors: { readonly reason?: string | undefined; readonly clientReason?: string | undefined }
}

/** Returns the default text for the client: the neutral one in the client's language. */
export function useNeutralText(client: Pick<ClientBrief, 'language'> | undefined): (kind: NeutralKind) => string {
  const text = useTextsIn(client?.language ?? 'en')
  return (kind) => text(neutralReason(kind).text)
}

/** The internal reason, and beside it the client's text (ADR 160). */
export function TwoTextsField({ kind, reasons, value, onValue, errors, ...rest }: TwoTextsFieldProps) {
  const { t } = useLingui()
  const neutral = neutralReason(kind)
  return (
    <>
      <TextArea
        label={<Trans>Internal reason</Trans>}
        hint={t`Visible to staff only.`}
        rows={2}
        maxLength={1000}
        value={value.reason}
        error={errors.reason}
        onChange={(event) => onValue({ ...value, reason: event.target.value })}
      />
      <ReasonField
        {...rest}
        label={<Trans>Text for the client</Trans>}
        reasons={[neutral, ...reasons]}
        value={value.clientText}
        onValue={(clientText) => onValue({ ...value, clientText })}
        error={errors.clientReason}
      />
    </>
  )
}
