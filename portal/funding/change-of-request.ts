/**
 * Returns the actions of a confirm step's Change and BACK. A request in progress cannot be changed: its response
 * decides the next step. A request that may still arrive cannot be changed either, or both requests could be carried
 * out: it is confirmed again under its key.
 */
export function changeActionsOf<Step>(
  { isUnderWay, mayChange }: { readonly isUnderWay: boolean; readonly mayChange: boolean },
  onChange: (step: Step) => void,
): (step: Step) => (() => void) | undefined {
  if (!mayChange && !isUnderWay) return () => undefined
  return (step) => () => {
    if (mayChange) onChange(step)
  }
}
