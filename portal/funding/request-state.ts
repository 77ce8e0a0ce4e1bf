/** The server deletes a key after this time: then the outcome is unknown, and the request is not sent again. */
const keyLifetimeMs = 20 * 3_600_000
/** How often the status of a request without a response is queried. */
export const statusPollMs = 2_500
/** A request that has not arrived by now never will: it may be changed. */
const arrivalMsMax = 120_000

/**
 * Returns what is known of a request that the server has no response to, `ageMs` after it was sent. `expected`: it has
 * not arrived and still may. `absent`: it never will. `forgotten`: the server may have deleted its key.
 */
export function stateWithoutResponse(
  status: 'in-progress' | 'unknown',
  ageMs: number,
): 'arriving' | 'expected' | 'absent' | 'forgotten' {
  if (status === 'in-progress') return 'arriving'
  if (ageMs < arrivalMsMax) return 'expected'
  return ageMs < keyLifetimeMs ? 'absent' : 'forgotten'
}

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
