/**
 * What a confirm step's Change and BACK do. What is on its way is not changed: its answer decides what comes next. Of what
 * may still arrive nothing can be changed at all, or both requests would happen: it is confirmed again, under its key.
 */
export function changeOf<Step>(
  { isUnderWay, mayChange }: { readonly isUnderWay: boolean; readonly mayChange: boolean },
  onChange: (step: Step) => void,
): (step: Step) => (() => void) | undefined {
  if (!mayChange && !isUnderWay) return () => undefined
  return (step) => () => {
    if (mayChange) onChange(step)
  }
}
