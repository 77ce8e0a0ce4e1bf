import { Trans } from '@lingui/react/macro'

interface OldAndNewProps {
  label?: React.ReactNode
  from: React.ReactNode
  to: React.ReactNode
}

export function OldAndNew({ label, from, to }: OldAndNewProps) {
  return (
    <p className="change-row">
      {label && <span className="section-name">{label}</span>}
      <span className="unseen">
        <Trans>Now</Trans>:{' '}
      </span>
      <del>{from}</del>
      <span aria-hidden="true">→</span>
      <span className="unseen">
        <Trans>Requested</Trans>:{' '}
      </span>
      <b>{to}</b>
    </p>
  )
}
