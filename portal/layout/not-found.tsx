import { Trans, useLingui } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

/** Says which address there is nothing at, and leads home. */
export function NotFound({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`There is no page here`}>
        <Trans>Nothing stands at {path}. Addresses are exact: capitals and a slash at the end count.</Trans>
      </PageHeader>
      <ButtonLink href={portalPaths.home} kind="primary">
        <Trans>Go to the start</Trans>
      </ButtonLink>
    </>
  )
}
