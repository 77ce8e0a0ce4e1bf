import type { Kept } from './kept-request.ts'

/**
 * What a confirm step's Change and BACK do. What is on its way is not changed: its answer decides what comes next. Of what
 * may have arrived nothing can be changed at all, or both requests would happen: it is confirmed again, under its key.
 */
export function changeOf<Step>(
  { sent }: Pick<Kept<unknown>, 'sent'>,
  isPending: boolean,
  onChange: (step: Step) => void,
): (step: Step) => (() => void) | undefined {
  if (sent && !isPending) return () => undefined
  return (step) => () => {
    if (!isPending) onChange(step)
  }
}
