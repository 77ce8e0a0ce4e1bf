/** Declares decisions of staff. A separate file, because the first page that staff load does without it. */
import type * as z from 'zod/mini'
import type { StateMachine } from '#rules/state-machine.ts'
import { rolesFor } from '#rules/permissions.ts'
import { channelsOf, isPermittedForSome } from '#rules/recovery.ts'
import { endpoint } from '../endpoint.ts'
import { body } from '../fields.ts'
import type { ProblemCode } from '../problems.ts'
import { paramsOf, root } from './briefs.ts'
import { isChecked } from './checks.ts'
import { decided, decisionProblems, version } from './decisions.ts'

interface DecisionDefinition<Shape extends z.core.$ZodLooseShape> {
  /** The last segment of the path, if it is not the action. */
  readonly segment?: string
  readonly summary: string
  /** Fields besides the version. */
  readonly body: Shape
  /** In addition to those of every decision, and `reason-required` for a `reason` in the body. */
  readonly problems?: readonly ProblemCode[]
}

/**
 * Returns a function that declares POST /{area}/{id}/{action} for the actions of a state machine. The roles are those
 * of the machine, so that the two cannot differ. `_of`: the kind of record in the path, if it is not the machine's.
 */
export function decisionsOn<const Machine extends string, const Kind extends string = Machine>(
  area: string,
  machine: Pick<StateMachine, 'transitions'> & { readonly name: Machine },
  _of?: Kind,
) {
  return <const Shape extends z.core.$ZodLooseShape>(
    name: string,
    action: string,
    { segment = action, summary, body: shape, problems = [] }: DecisionDefinition<Shape>,
  ) => {
    const stops = channelsOf(machine.name, action)
    return endpoint(name, `POST ${root}/${area}/:id/${segment}`, {
      summary,
      access: rolesFor(machine, action),
      params: paramsOf<Kind>(),
      body: body({ version, ...shape }),
      response: decided,
      problems: [
        ...decisionProblems,
        ...(isChecked(machine.name) ? (['own-override'] as const) : []),
        ...(stops.length > 0 ? (['money-stopped-office'] as const) : []),
        ...('reason' in shape ? (['reason-required'] as const) : []),
        ...problems,
      ],
      // Whether the record is one of those is checked with the transition.
      stopsWith: isPermittedForSome(machine.name, action) ? [] : stops,
    })
  }
}
