import { Trans, useLingui } from '@lingui/react/macro'
import { listMissingRights, platformRightEffects, platformRightLabels } from '#contract/office/platform-rights.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Time } from '#ui/text/time.tsx'

/** A note for each platform at which our login lacks a right: cause, effect and what to do. */
export function MissingRights() {
  const { t } = useLingui()
  const label = useLabels(platformRightLabels)
  const effect = useLabels(platformRightEffects)
  const { data } = useEndpoint(listMissingRights, {}, { keepLast: true, pollMs: 60_000 })
  return (data?.platforms ?? []).map(({ platform, readAt, rights }) => {
    const names = rights.map(label).join(', ')
    return (
      <Alert key={platform} kind="wait" title={t`${platform}: our login lacks these rights: ${names}`}>
        <p>{rights.map(effect).join(' ')}</p>
        <p>
          <Trans>
            Ask an administrator of {platform} to grant them to our login in the manager configuration. Last checked{' '}
            <Time at={readAt} />.
          </Trans>
        </p>
      </Alert>
    )
  })
}
