/**
 * Alerts on page views (requirements 2.14): the client can close them; they appear again when the page is opened again.
 */
import { Trans, useLingui } from '@lingui/react/macro'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { getBankDetails } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { IconButton } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { useClient } from '../session.ts'
import type { OpenAccount } from './accounts.ts'
import './funding.css'

/** Shown if the client has no bank account, so nothing can be withdrawn. */
export function MissingBankDetailsAlert() {
  const client = useClient()
  const { data } = useEndpoint(getBankDetails, { a: 'all', b: 'all' }, { enabled: client?.status === 'approved' })
  if (data?.bankDetails.length !== 0) return null
  return (
    <PageAlert title={<Trans>Missing Bank Details</Trans>}>
      <Trans>
        You can withdraw only to your own approved bank account.{' '}
        <Link href={`${portalPaths.bankDetails}?add=bank`}>Submit bank details</Link>
      </Trans>
    </PageAlert>
  )
}

interface NoFundedAccountsAlertProps {
  accounts: readonly OpenAccount[]
  /** The client is confirming the deposit that funds one. */
  isConfirming: boolean
}

/** Shown if no account has a balance. */
export function NoFundedAccountsAlert({ accounts, isConfirming }: NoFundedAccountsAlertProps) {
  const { t } = useLingui()
  const isUnfunded = accounts.length > 0 && accounts.every(({ balance }) => balance !== null && balance <= 0n)
  if (!isUnfunded) return null
  return (
    <PageAlert title={<Trans>No Funded Accounts</Trans>} isHidden={isConfirming}>
      {t`Your trading accounts have no funds yet.`}
    </PageAlert>
  )
}

interface PageAlertProps {
  title: ReactNode
  isHidden?: boolean
  children: ReactNode
}

function PageAlert({ title, isHidden = false, children }: PageAlertProps) {
  const { t } = useLingui()
  const [isClosed, setClosed] = useState(false)
  if (isClosed || isHidden) return null
  return (
    <div className="page-alert" role="alert">
      <Alert
        kind="wait"
        title={title}
        action={
          <IconButton name={t`Dismiss`} onClick={() => setClosed(true)}>
            <IconX aria-hidden="true" />
          </IconButton>
        }
      >
        {children}
      </Alert>
    </div>
  )
}
