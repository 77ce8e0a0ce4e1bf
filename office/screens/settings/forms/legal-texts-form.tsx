import { Trans, useLingui } from '@lingui/react/macro'
import { legalTextKeys } from '#rules/choices.ts'
import { Disclosure } from '#ui/data/disclosure.tsx'
import { useDraft } from '../draft.ts'
import { AreaAt, Fields, NumberAt, TextAt } from '../fields.tsx'
import { usePathLabel } from '../section-labels.ts'

export function LegalTextsForm() {
  const { t } = useLingui()
  const { language } = useDraft()
  const word = usePathLabel()
  return legalTextKeys.map((key) => (
    <Disclosure key={key} title={word(key)}>
      <div className="stack">
        <Fields>
          <NumberAt
            path={`${key}.version`}
            label={t`Version`}
            hint={<Trans>Increase it when the meaning changes. Each acceptance records the version.</Trans>}
          />
          <TextAt path={`${key}.title.${language}`} label={t`Heading`} />
        </Fields>
        {/* Longer than its place: anyone who only reads scrolls in it, by keys too. */}
        <AreaAt path={`${key}.text.${language}`} label={t`Text`} rows={14} />
      </div>
    </Disclosure>
  ))
}
