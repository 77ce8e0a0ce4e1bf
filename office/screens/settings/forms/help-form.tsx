import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { emptyTexts, useDraft } from '../draft.ts'
import { AreaAt, TextAt, useListAt } from '../fields.tsx'

/** Contact details, office hours, and answers to frequent questions. */
export function HelpForm() {
  const { t } = useLingui()
  const { language } = useDraft()
  const answers = useListAt('answers')
  return (
    <>
      <TextAt path="phone" label={t`Phone`} optional />
      <AreaAt path={`hours.${language}`} label={t`Hours`} />
      {answers.list.map((_, index) => (
        <div key={index} className="settings-group" data-path={`answers.${index}`}>
          <TextAt path={`answers.${index}.question.${language}`} label={t`Question ${index + 1}`} />
          <AreaAt path={`answers.${index}.answer.${language}`} label={t`Answer ${index + 1}`} rows={4} />
          <button type="button" className="text-button" onClick={() => answers.remove(index)}>
            <Trans>Remove question {index + 1}</Trans>
          </button>
        </div>
      ))}
      <Button size="small" onClick={() => answers.add({ question: emptyTexts(), answer: emptyTexts() })}>
        <Trans>Add question</Trans>
      </Button>
    </>
  )
}
