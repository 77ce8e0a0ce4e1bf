import { useLingui } from '@lingui/react/macro'
import { msg } from '#contract/message.ts'
import type { OfficeEvent } from '#contract/office/decisions.ts'

const operator = msg`Operator (command line)`

/** Returns a function that returns who saved something in the back office; null was at the server's command line. */
export function useSaverLabel(): (by: { readonly name: string } | null) => string {
  const { i18n } = useLingui()
  return (by) => by?.name ?? i18n._(operator)
}

/** Returns a function that returns a person's name; else the kind of actor. */
export function useActorLabel(): (event: Pick<OfficeEvent, 'kind' | 'actor' | 'address'>) => string {
  const { t, i18n } = useLingui()
  const words = {
    client: t`Client`,
    staff: t`Staff`,
    outside: t`Platform or provider`,
    clock: t`System`,
    recovery: t`Recovery`,
  }
  return ({ kind, actor, address }) => {
    if (actor.isOperator) return i18n._(operator)
    // Platforms and providers report on payments and accounts; on a person's own page, such as the sign-in, anyone may
    // act.
    if (actor.kind === 'outside' && address !== null && (kind === 'client' || kind === 'staff')) return t`Not signed in`
    return actor.name ?? words[actor.kind]
  }
}
