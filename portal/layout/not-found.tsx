import { Trans, useLingui } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

/** Says which address there is nothing at, and leads home. */
export function NotFound({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Page not found`}>
        <Trans>We cannot find {path}. Check the spelling, including capital letters and a slash at the end.</Trans>
      </PageHeader>
      <ButtonLink href={portalPaths.home} kind="primary">
        <Trans>Go to the home page</Trans>
      </ButtonLink>
    </>
  )
}
