import { IconCircleCheckFilled, IconUserCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { OfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Time } from '#ui/text/time.tsx'
import { Quoted } from '../../records/quoted.tsx'
import { useStaff } from '../../session.ts'

/** The first approval with its note; who may give the second, and why it is needed. */
export function Approvals({ withdrawal }: { withdrawal: OfficeWithdrawal }) {
  const { t, i18n } = useLingui()
  const { firstApproval, secondApproval, fourEyes, currency, state } = withdrawal
  const threshold = moneyText({ minor: fourEyes.threshold, currency }, i18n.locale)
  if (!firstApproval && !fourEyes.needed)
    return state === 'pending' ? (
      <p className="muted">{t`One approval is enough below ${threshold} to one bank account.`}</p>
    ) : null
  return (
    <div className="approvals">
      <div className={firstApproval ? undefined : 'waits'}>
        <p className="section-name">{t`First approval`}</p>
        {firstApproval ? (
          <GivenApproval approval={firstApproval} />
        ) : (
          <PendingApprover>
            {withdrawal.lastBalance ? <Trans>Compliance</Trans> : <Trans>An operations clerk</Trans>}
          </PendingApprover>
        )}
      </div>
      {(fourEyes.needed || secondApproval) && (
        <div className={!secondApproval && state === 'second_approval' ? 'waits' : undefined}>
          <p className="section-name">{t`Second approval`}</p>
          {secondApproval ? (
            <GivenApproval approval={secondApproval} />
          ) : (
            <PendingSecondApproval withdrawal={withdrawal} threshold={threshold} />
          )}
        </div>
      )}
    </div>
  )
}

function GivenApproval({ approval }: { approval: NonNullable<OfficeWithdrawal['firstApproval']> }) {
  return (
    <>
      <p className="approval-who">
        <IconCircleCheckFilled className="tone-ok" aria-hidden="true" />
        {approval.by.name}
      </p>
      <p className="muted">
        <Time at={approval.at} />
        {approval.note && (
          <>
            {' · '}
            <Quoted>{approval.note}</Quoted>
          </>
        )}
      </p>
    </>
  )
}

function PendingSecondApproval({ withdrawal, threshold }: { withdrawal: OfficeWithdrawal; threshold: string }) {
  const { staff } = useStaff()
  const { i18n } = useLingui()
  const { fourEyes, amount, currency } = withdrawal
  const first = withdrawal.firstApproval?.by
  const sum = moneyText({ minor: fourEyes.sumToBank, currency }, i18n.locale)
  const may = withdrawal.verbs.some(({ verb, refusal }) => verb === 'confirm' && refusal === null)
  return (
    <>
      <PendingApprover>
        {may ? <Trans>You or another finance supervisor</Trans> : <Trans>A finance supervisor</Trans>}
      </PendingApprover>
      <p className="muted">
        <Trans>Required from {threshold}.</Trans>{' '}
        {fourEyes.sumToBank > amount && (
          <>
            <Trans>{sum} requested to this bank account within 24 hours.</Trans>{' '}
          </>
        )}
        {first &&
          (first.id === staff.id ? (
            <Trans>You gave the first approval. Another person must give the second.</Trans>
          ) : (
            <Trans>{first.name} cannot give this approval.</Trans>
          ))}
      </p>
    </>
  )
}

function PendingApprover({ children }: { children: React.ReactNode }) {
  return (
    <p className="approval-who">
      <IconUserCheck className="tone-wait" aria-hidden="true" />
      {children}
    </p>
  )
}
