import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { DecisionCheck } from '#contract/office/checks.ts'
import type { Decision } from './office-record.ts'

export interface Acknowledging {
  has(check: DecisionCheck): boolean
  toggle(check: DecisionCheck): void
  /** Returns whether it differs from when the page was opened, or is new. */
  hasChanged(check: DecisionCheck): boolean
  /** The names that an approval sends. */
  readonly names: DecisionCheck['name'][]
  /** Properties for an approval's decision: why it must wait, and a reason if a warning is acknowledged. */
  readonly of: Pick<Decision, 'words' | 'notYet'>
}

const digestsOf = (checks: readonly DecisionCheck[]) => new Map(checks.map(({ name, digest }) => [name, digest]))

/**
 * Returns the warnings acknowledged on this page: a changed warning must be acknowledged again. `of` names the subject
 * of the checks, if it is chosen on the page.
 */
export function useAcknowledged(checks: readonly DecisionCheck[], of = ''): Acknowledging {
  const { t } = useLingui()
  const [digests, setDigests] = useState<readonly string[]>([])
  const [first, setFirst] = useState(() => ({ of, digests: digestsOf(checks) }))
  if (first.of !== of) setFirst({ of, digests: digestsOf(checks) })
  const warnings = checks.filter(({ result }) => result === 'warn')
  const has = ({ digest }: DecisionCheck) => digests.includes(digest)
  const open = warnings.filter((check) => !has(check))
  return {
    has,
    toggle: (check) =>
      setDigests((all) => (has(check) ? all.filter((digest) => digest !== check.digest) : [...all, check.digest])),
    hasChanged: ({ name, result, digest }) =>
      (result === 'warn' || result === 'block') && first.digests.get(name) !== digest,
    names: warnings.filter(has).map(({ name }) => name),
    of: {
      words: warnings.length > 0 ? 'acknowledgement' : 'note',
      ...(open.length > 0 ? { notYet: t`Acknowledge the warnings first.` } : {}),
    },
  }
}
