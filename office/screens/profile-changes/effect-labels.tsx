import { Plural, Trans } from '@lingui/react/macro'
import type { getProfileChange } from '#contract/office/profile-changes.ts'
import type { ResponseOf } from '#contract/endpoint.ts'

type Effect = ResponseOf<typeof getProfileChange>['change']['affects'][number]

/** One effect of an approval as a sentence. */
export function EffectLabels({ effect: { code, count } }: { effect: Effect }) {
  switch (code) {
    case 'documents-with-old-value':
      return (
        <Plural
          value={count}
          one="# approved document shows what stood there until now."
          other="# approved documents show what stood there until now."
        />
      )
    case 'documents-not-accepted':
      return (
        <Plural
          value={count}
          one="# approved document is of a kind that the new country’s risk level does not accept."
          other="# approved documents are of kinds that the new country’s risk level does not accept."
        />
      )
    case 'bank-holder':
      return (
        <Plural
          value={count}
          one="# approved bank account gets the new name as its holder."
          other="# approved bank accounts get the new name as their holder."
        />
      )
    case 'payouts-under-old-name':
      return (
        <Plural
          value={count}
          one="# open withdrawal keeps the name with which it was asked for."
          other="# open withdrawals keep the name with which they were asked for."
        />
      )
    case 'wires-compared':
      return (
        <Plural
          value={count}
          one="The payer of # announced wire is compared with the new name."
          other="The payers of # announced wires are compared with the new name."
        />
      )
    case 'accounts-under-old-name':
      return (
        <Plural
          value={count}
          one="# trading account keeps the old name on its platform."
          other="# trading accounts keep the old name on their platforms."
        />
      )
    case 'methods-of-country':
      return <Trans>Deposits and withdrawals offer the methods of the new country.</Trans>
  }
}
