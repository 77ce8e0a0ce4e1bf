import { useLingui } from '@lingui/react/macro'

/** Shows which of the two proofs a step belongs to, above its title. */
export function GroupSection({ group }: { group: 'proof_of_identity' | 'proof_of_address' }) {
  const { t } = useLingui()
  return group === 'proof_of_identity' ? t`Step 1 of 2 · Proof of identity` : t`Step 2 of 2 · Proof of address`
}
