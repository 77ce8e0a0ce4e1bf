/**
 * Returns the actions of a confirm step's Change and BACK. A request in progress cannot be changed: its response
 * decides the next step. A request that may still arrive cannot be changed either, or both requests could be carried
 * out: it is confirmed again under its key. While its status is unknown, there are no actions, and the notice says why.
 */
export function changeActionsOf<Step>(
  request: { readonly isUnderWay: boolean; readonly isUnknown: boolean; readonly mayChange: boolean },
  onChange: (step: Step) => void,
): (step: Step) => (() => void) | undefined {
  const { isUnderWay, isUnknown, mayChange } = request
  if (!mayChange && (isUnknown || !isUnderWay)) return () => undefined
  return (step) => () => {
    if (mayChange) onChange(step)
  }
}
