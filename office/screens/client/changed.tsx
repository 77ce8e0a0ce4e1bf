import { IconReplace } from '@tabler/icons-react'
import { Trans } from '@lingui/react/macro'
import type { OfficeClient } from '#contract/office/clients.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Time } from '#ui/text/time.tsx'
import { useValueText } from './field-labels.ts'

type Field = OfficeClient['profile'][number]

/** Below a value: its former value with the time of the change, and a change pending with compliance. */
export function FormerValue({ field }: { field: Field }) {
  const text = useValueText()
  const { previous, pending } = field
  return (
    <>
      {previous && (
        <span className="client-changed">
          <IconReplace className="small" aria-hidden="true" />{' '}
          <Trans>
            was {text(field.field, previous.value)}, until <Time at={previous.until} form="day" />
          </Trans>
        </span>
      )}
      {pending && (
        <span className="client-changed">
          <Link href={officePaths.profileChange(pending.id)}>
            <Trans>change to {text(field.field, pending.to)}</Trans>
          </Link>
          , <Time at={pending.since} form="day" />
        </span>
      )}
    </>
  )
}
