import type { StaffMember } from '#contract/office/staff.ts'
import { useStateLabel } from '../../records/value-names.ts'

/** Invited, active, deactivated: used for staff only, without a status mark. */
export function StaffState({ state }: { state: StaffMember['state'] }) {
  const label = useStateLabel()
  return (
    <span className={state === 'active' ? 'strong' : state === 'invited' ? 'tone-wait strong' : 'muted'}>
      {label('staff', state)}
    </span>
  )
}
