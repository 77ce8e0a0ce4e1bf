import { useLingui } from '@lingui/react/macro'
import type { OfficeEvent } from '#contract/office/decisions.ts'

/** Returns a function that returns a person's name; else the kind of actor. */
export function useActorLabel(): (event: Pick<OfficeEvent, 'kind' | 'actor' | 'address'>) => string {
  const { t } = useLingui()
  const words = {
    client: t`Client`,
    staff: t`Staff`,
    outside: t`Platform or provider`,
    clock: t`System`,
    recovery: t`Recovery`,
  }
  return ({ kind, actor, address }) => {
    if (actor.isOperator) return t`Operator (command line)`
    // Platforms and providers report on payments and accounts; on a person's own page, such as the sign-in, anyone may act.
    if (actor.kind === 'outside' && address !== null && (kind === 'client' || kind === 'staff')) return t`Not signed in`
    return actor.name ?? words[actor.kind]
  }
}
