import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { profile, updateTradingExperience } from '#contract/profile.ts'
import type { InputOf } from '#ui/call.ts'
import { useVerb } from '#ui/endpoint-query.ts'
import { useFormValues } from '#ui/form-values.ts'
import { tell } from '#ui/passing-notices.tsx'
import { useChoiceWord } from './choice-words.ts'
import { ExperienceFields } from './experience-fields.tsx'
import type { ProfileData } from './profile.tsx'
import { EditSection, ReadSection } from './section.tsx'

type TradingExperience = ProfileData['tradingExperience']

/** Trading experience: five fields, all required. */
export function ExperienceSection({ experience }: { experience: TradingExperience }) {
  const { t } = useLingui()
  const word = useChoiceWord()
  const [editing, setEditing] = useState(false)
  if (editing) return <ExperienceForm experience={experience} onClose={() => setEditing(false)} />
  const shown = (choice: string | undefined) => (choice === undefined ? '–' : word(choice))
  return (
    <ReadSection
      onEdit={() => setEditing(true)}
      rows={[
        { key: t`Has traded CFDs or forex`, value: shown(experience?.experience) },
        { key: t`Share put up as margin`, value: shown(experience?.requiredMargin) },
        { key: t`Way of closing`, value: shown(experience?.closingOrderType) },
        { key: t`Leverage that suits`, value: shown(experience?.leverage) },
        { key: t`Dealing with losses`, value: shown(experience?.reactionToLoss) },
      ]}
    />
  )
}

function ExperienceForm({ experience, onClose }: { experience: TradingExperience; onClose: () => void }) {
  const { t } = useLingui()
  const form = useFormValues({
    experience: experience?.experience ?? '',
    requiredMargin: experience?.requiredMargin ?? '',
    closingOrderType: experience?.closingOrderType ?? '',
    leverage: experience?.leverage ?? '',
    reactionToLoss: experience?.reactionToLoss ?? '',
  })
  const save = useVerb(updateTradingExperience, {
    refreshes: [profile],
    onDone: () => {
      tell(t`Saved.`)
      onClose()
    },
    onFailure: form.refuse,
  })
  return (
    // The server checks each word against its list.
    <EditSection
      formRef={form.ref}
      onSave={() => save.mutate(form.values as InputOf<typeof updateTradingExperience>)}
      onCancel={onClose}
      pending={save.isPending}
      error={save.error}
    >
      <ExperienceFields form={form} />
    </EditSection>
  )
}
