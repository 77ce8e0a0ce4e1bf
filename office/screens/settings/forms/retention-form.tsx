import { Trans, useLingui } from '@lingui/react/macro'
import { type RetentionClass, retentionClasses, retentionPeriods } from '#rules/retention.ts'
import { NumberAt } from '../fields.tsx'

/** Shows how long each class is kept, each with its bounds beside it. */
export function RetentionForm() {
  const { t } = useLingui()
  const years = retentionClasses.filter((name) => name.endsWith('Years'))
  const days = retentionClasses.filter((name) => !years.includes(name))
  const field = (name: RetentionClass) => {
    const { least, most } = retentionPeriods[name]
    return <NumberAt key={name} path={name} hint={t`from ${least} to ${most}`} />
  }
  return (
    <>
      <h2 className="title-3">
        <Trans>After the end of the relationship</Trans>
      </h2>
      <p className="muted">
        <Trans>
          After these years, a client’s identity, documents, emails and bank details are deleted. Payments and the audit
          log are kept.
        </Trans>
      </p>
      <div className="columns-2">{years.map(field)}</div>
      <h2 className="title-3">
        <Trans>Day to day</Trans>
      </h2>
      <div className="columns-2">{days.map(field)}</div>
    </>
  )
}
