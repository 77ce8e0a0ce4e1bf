import { Trans, useLingui } from '@lingui/react/macro'
import type { HistoryList } from '#contract/history.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

/** A result page whose request this tab does not know: it makes no claim, and links to the list of all requests. */
export function MissingResult({ list }: { list: HistoryList }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`No recent request`}>
        <Trans>You can see all your requests and their status in Transactions History.</Trans>
      </PageHeader>
      <div className="result-commands">
        <ButtonLink kind="primary" href={portalPaths.history(list)}>{t`Transactions History`}</ButtonLink>
        <ButtonLink href={portalPaths.tradingAccounts}>{t`Trading Accounts`}</ButtonLink>
      </div>
    </>
  )
}
