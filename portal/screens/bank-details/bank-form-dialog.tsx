import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import { UnsettledNotice } from '../../funding/unsettled-notice.tsx'
import { BankForm } from './bank-form.tsx'
import type { KeptBank, useBankRequest } from './bank-request.ts'
import type { BankForm as Form } from './bank-values.ts'

type Props = Pick<KeptBank, 'kept' | 'forget'> &
  ReturnType<typeof useBankRequest> & {
    title: string
    submitLabel: ReactNode
    form: Form
    /** The statement that is kept unless another is chosen; null if one must be uploaded. */
    keptStatementUrl: string | null
    mustHaveStatement: boolean
    onClose: () => void
    children?: ReactNode
  }

/** The dialog of an editable bank account; a draft without a request is deleted when it closes. */
export function BankFormDialog({ kept, forget, request, send, mustWait, form, onClose, children, ...props }: Props) {
  const { t } = useLingui()
  const formId = useId()
  const submit = () => {
    if (form.isComplete({ statement: props.mustHaveStatement })) void send()
  }
  const close = () => {
    if (!kept?.sent) forget()
    onClose()
  }
  return (
    <Dialog
      title={props.title}
      onClose={close}
      actions={
        <>
          <Button kind="quiet" onClick={close}>{t`Cancel`}</Button>
          <Button
            kind="primary"
            type="submit"
            form={formId}
            pending={request.isUnderWay}
            disabledReason={
              form.waitReason ||
              (mustWait &&
                t`Your previous details may still arrive or be processed. You can send other details once we know their status.`)
            }
          >
            {props.submitLabel}
          </Button>
        </>
      }
    >
      <div className="stack">
        {children}
        <BankForm id={formId} form={form} keptStatementUrl={props.keptStatementUrl} onSend={submit} />
        <UnsettledNotice
          unsettled={request.unsettled}
          onAsk={() => void request.settle()}
          list={<Link href={portalPaths.bankDetails}>{t`Bank Details`}</Link>}
        />
        <StepUpHint always />
      </div>
    </Dialog>
  )
}
