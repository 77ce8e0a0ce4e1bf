import { Trans, useLingui } from '@lingui/react/macro'
import { officePaths } from '#contract/office-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

/** Says which address there is nothing at, and leads to the inbox. */
export function NotFound({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <OfficePage>
      <PageHeader title={t`Page not found`}>
        <Trans>We cannot find {path}.</Trans>
      </PageHeader>
      <ButtonLink href={officePaths.inbox} kind="primary">
        <Trans>Open inbox</Trans>
      </ButtonLink>
    </OfficePage>
  )
}

/** A page that this role does not read. */
export function NotForYou() {
  const { t } = useLingui()
  return (
    <OfficePage>
      <PageHeader title={t`No access`}>
        <Trans>You do not have access to this page. An administrator can change your roles under Staff.</Trans>
      </PageHeader>
      <ButtonLink href={officePaths.inbox} kind="primary">
        <Trans>Open inbox</Trans>
      </ButtonLink>
    </OfficePage>
  )
}
