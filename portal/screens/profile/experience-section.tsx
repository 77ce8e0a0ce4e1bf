import { useLingui } from '@lingui/react/macro'
import { profile, updateTradingExperience, type ProfileData } from '#contract/profile.ts'
import type { InputOf } from '#ui/api/call.ts'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ChoicesSection } from './choices-section.tsx'
import { ExperienceFields } from './experience-fields.tsx'

/** Trading experience: five fields, all required. */
export function ExperienceSection({ experience }: { experience: ProfileData['tradingExperience'] }) {
  const { t } = useLingui()
  const save = useEndpointMutation(updateTradingExperience, { refreshes: [profile] })
  return (
    <ChoicesSection
      names={{
        experience: t`Has traded CFDs or forex`,
        requiredMargin: t`Share used as margin`,
        closingOrderType: t`Closing method`,
        leverage: t`Leverage that suits`,
        reactionToLoss: t`Dealing with losses`,
      }}
      kept={experience}
      fields={(form) => <ExperienceFields form={form} />}
      // The server checks each word against its list.
      save={(chosen, told) => save.mutate(chosen as InputOf<typeof updateTradingExperience>, told)}
      pending={save.isPending}
      error={save.error}
    />
  )
}
