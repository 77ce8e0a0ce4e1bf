import { profileLabels } from '#contract/profile-labels.ts'
import { getProfileChange } from '#contract/office/profile-changes.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { useChangedValue } from '../../records/changed-fields.ts'
import { OldAndNew } from './old-and-new.tsx'

/** The values are personal data, so they are read from the record, with its permissions. */
export function ProfileChangeFigure({ record }: { record: string }) {
  const { data } = useEndpoint(getProfileChange, { id: record })
  const label = useLabels(profileLabels)
  const value = useChangedValue()
  if (!data) return null
  const { field, from, to } = data.change
  return <OldAndNew label={label(field)} from={value(field, from)} to={value(field, to)} />
}
