import { useQueryClient } from '@tanstack/react-query'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { acceptDeclarations } from '#contract/declarations.ts'
import { settings } from '#contract/settings.ts'
import { currentUser } from '#contract/users-session.ts'
import { Button } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import type { ApiError } from '#ui/api/api-error.ts'
import { declarationNoticeMs, showToast } from '#ui/feedback/toasts.tsx'
import { usePortalSettings } from '../portal-settings.ts'
import { session } from '../session.ts'
import { leave } from './leave.ts'
import './prompts.css'

/**
 * Client Assets Declarations: shown until accepted; without the tick it asks again (requirements 2.9). A client who
 * does not accept can only log out.
 */
export function DeclarationDialog() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const data = usePortalSettings()
  // The ticked version: a newer text must be read and ticked again.
  const [tickedVersion, setTickedVersion] = useState<number | null>(null)
  const [asking, setAsking] = useState(false)
  const text = data?.legalTexts.clientAssetsDeclaration
  const accept = useEndpointMutation(acceptDeclarations, {
    onDone: (answer) => {
      if (answer.token) session.keep(answer.token)
      else void call(currentUser, {}).then((current) => queries.setQueryData([currentUser.name, {}], current))
    },
    onFailure: (failure: ApiError) => {
      showToast(failure.error, { kind: 'bad', ms: declarationNoticeMs })
      setAsking(false)
      void queries.invalidateQueries({ queryKey: [settings.name] })
    },
  })
  if (!text) return null
  const ticked = tickedVersion === text.version
  const send = () => accept.mutate({ version: text.version })
  if (asking)
    return (
      <Dialog
        key="asking"
        title={t`Accept the declaration`}
        role="alertdialog"
        actions={
          <>
            <Button kind="quiet" onClick={() => setAsking(false)}>{t`Read again`}</Button>
            <Button kind="primary" pending={accept.isPending} onClick={send}>{t`I have read and accept it`}</Button>
          </>
        }
      >
        <p className="muted">
          <Trans>
            Confirm that you have read and accept the Client Assets Declaration. Until you do, you cannot open new
            accounts or deposit funds. You can still withdraw.
          </Trans>
        </p>
      </Dialog>
    )
  return (
    <Dialog
      title={t`Client Assets Declarations`}
      size="wide"
      actions={
        <div className="declaration-actions">
          <Checkbox checked={ticked} onChange={(event) => setTickedVersion(event.target.checked ? text.version : null)}>
            <Trans>I have read and accept the declaration.</Trans>
          </Checkbox>
          <Button kind="quiet" onClick={leave}>{t`Logout`}</Button>
          <Button kind="primary" pending={accept.isPending} onClick={() => (ticked ? send() : setAsking(true))}>
            <Trans>Accept</Trans>
          </Button>
        </div>
      }
    >
      <div className="declaration-text" tabIndex={0} role="region" aria-label={text.title}>
        {text.title !== t`Client Assets Declarations` && <h3>{text.title}</h3>}
        {text.text.split(/\n\s*\n/).map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
      </div>
    </Dialog>
  )
}
