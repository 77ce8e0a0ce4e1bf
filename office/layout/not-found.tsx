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
      <PageHeader title={t`There is no page here`}>
        <Trans>Nothing stands at {path}.</Trans>
      </PageHeader>
      <ButtonLink href={officePaths.inbox} kind="primary">
        <Trans>Go to the inbox</Trans>
      </ButtonLink>
    </OfficePage>
  )
}

/** A page that this role does not read. */
export function NotForYou() {
  const { t } = useLingui()
  return (
    <OfficePage>
      <PageHeader title={t`Not for your role`}>
        <Trans>Your role does not read this page. An administrator can change roles under Staff.</Trans>
      </PageHeader>
      <ButtonLink href={officePaths.inbox} kind="primary">
        <Trans>Go to the inbox</Trans>
      </ButtonLink>
    </OfficePage>
  )
}
