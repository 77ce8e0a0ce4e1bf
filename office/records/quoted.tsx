import { Trans } from '@lingui/react/macro'
import { UserText } from '#ui/text/user-text.tsx'

/** A text of a person, in the quotation marks of the language. */
export function Quoted({ children }: { children: string }) {
  return (
    <Trans>
      “<UserText>{children}</UserText>”
    </Trans>
  )
}
