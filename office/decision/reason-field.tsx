import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, Suspense } from 'react'
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { StandardReason } from '#contract/office/rejection-reasons.ts'
import { Select } from '#ui/forms/select.tsx'
import { TextArea } from '#ui/forms/text-field.tsx'
import { languageName } from '#ui/i18n/language.ts'
import { useTextsIn } from './client-texts.ts'
import './decision.css'

interface ReasonFieldProps {
  client: ClientBrief | undefined
  reasons: readonly StandardReason[]
  /** Null if the client receives no text. */
  value: string | null
  onValue: (text: string | null) => void
  error?: string | undefined
  label?: ReactNode
  /** The label of the choice to send the client no text. */
  none?: string | undefined
}

const noText = 'none'

/** A standard reason fills the text in the client's language; the text is sent as edited. */
export function ReasonField(props: ReasonFieldProps) {
  return (
    <Suspense fallback={null}>
      <LoadedReasonField {...props} />
    </Suspense>
  )
}

function LoadedReasonField({
  client,
  reasons,
  value,
  onValue,
  error,
  label = <Trans>Reason (visible to the client)</Trans>,
  none,
}: ReasonFieldProps) {
  const { t, i18n } = useLingui()
  const clientLanguage = client?.language ?? 'en'
  const ownLanguage = i18n.locale
  const clientLanguageText = useTextsIn(clientLanguage)
  // An edited text is not a standard reason any more.
  const chosen = value === null ? noText : (reasons.find(({ text }) => clientLanguageText(text) === value)?.key ?? '')
  const choose = (key: string) => {
    const ready = reasons.find((reason) => reason.key === key)
    onValue(ready ? clientLanguageText(ready.text) : key === noText ? null : '')
  }
  return (
    <div className="reason-field">
      {reasons.length > 0 && (
        <Select
          label={t`Standard reason`}
          placeholder={t`Choose a standard reason or enter one`}
          value={chosen}
          onChange={(event) => choose(event.target.value)}
          options={[
            ...reasons.map((reason) => ({ value: reason.key, label: firstSentence(i18n._(reason.text)) })),
            ...(none === undefined ? [] : [{ value: noText, label: none }]),
          ]}
        />
      )}
      {value !== null && (
        <TextArea
          label={label}
          hint={
            clientLanguage === ownLanguage
              ? undefined
              : t`This client’s language is ${languageName(clientLanguage, ownLanguage)}.`
          }
          rows={3}
          maxLength={1000}
          value={value}
          error={error}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </div>
  )
}

function firstSentence(text: string): string {
  return /^.+?\.(?=\s|$)/.exec(text)?.[0] ?? text
}
