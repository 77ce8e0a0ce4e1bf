import type { ReactNode } from 'react'
import type { ResponseOf, Endpoint } from '#contract/endpoint.ts'
import type { InputOf } from '#ui/api/call.ts'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { fieldErrors } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { ReasonDialog, type ReasonDialogProps } from './reason-dialog.tsx'

interface ActionDialogProps<E extends Endpoint> extends Omit<
  ReasonDialogProps,
  'children' | 'pending' | 'failure' | 'onConfirm'
> {
  endpoint: E
  /** The request with the reason; null if a choice is missing. */
  input: (reason: string, clientText?: string | null) => InputOf<E> | null
  refreshes: readonly Endpoint[]
  /** The message after success. */
  done: string | ((answer: ResponseOf<E>) => string)
  /** Called after success, besides closing the dialog. */
  onDone?: (answer: ResponseOf<E>) => void
  /** The consequences of the action; or fields, which show their own errors. */
  children?: ReactNode | ((errors: Readonly<Record<string, string>>) => ReactNode)
}

/** A dialog with a reason and one request: after success it shows a message and closes. */
export function ActionDialog<E extends Endpoint>({
  endpoint,
  input,
  refreshes,
  done,
  onDone,
  children,
  ...look
}: ActionDialogProps<E>) {
  const mutation = useEndpointMutation(endpoint, {
    refreshes,
    onDone: (answer) => {
      showToast(() => (typeof done === 'function' ? done(answer) : done))
      look.onClose()
      onDone?.(answer)
    },
  })
  return (
    <ReasonDialog
      {...look}
      pending={mutation.isPending}
      failure={mutation.error}
      onConfirm={(reason, clientText) => {
        const sent = input(reason, clientText)
        if (sent) mutation.mutate(sent)
      }}
    >
      {typeof children === 'function' ? children(fieldErrors(mutation.error)) : children}
    </ReasonDialog>
  )
}
