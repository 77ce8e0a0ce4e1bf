import { useLingui } from '@lingui/react/macro'
import type { StaffMember } from '#contract/office/staff.ts'

/** Invited, active, deactivated: words of staff alone, without a status mark. */
export function StaffState({ state }: { state: StaffMember['state'] }) {
  const { t } = useLingui()
  const words = { invited: t`Invited`, active: t`Active`, deactivated: t`Deactivated` }
  return (
    <span className={state === 'active' ? 'strong' : state === 'invited' ? 'tone-wait strong' : 'muted'}>
      {words[state]}
    </span>
  )
}
