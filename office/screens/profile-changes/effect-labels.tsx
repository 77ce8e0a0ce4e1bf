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
          one="# approved document shows the previous value."
          other="# approved documents show the previous value."
        />
      )
    case 'documents-not-accepted':
      return (
        <Plural
          value={count}
          one="# approved document is of a type that the new country’s risk level does not accept."
          other="# approved documents are of types that the new country’s risk level does not accept."
        />
      )
    case 'bank-holder':
      return (
        <Plural
          value={count}
          one="# approved bank account gets the new account holder name."
          other="# approved bank accounts get the new account holder name."
        />
      )
    case 'payouts-under-old-name':
      return (
        <Plural
          value={count}
          one="# open withdrawal keeps the previous name."
          other="# open withdrawals keep the previous name."
        />
      )
    case 'wires-compared':
      return (
        <Plural
          value={count}
          one="The payer of # expected bank transfer is compared with the new name."
          other="The payers of # expected bank transfers are compared with the new name."
        />
      )
    case 'accounts-under-old-name':
      return (
        <Plural
          value={count}
          one="# trading account keeps the previous name on its platform."
          other="# trading accounts keep the previous name on their platforms."
        />
      )
    case 'methods-of-country':
      return <Trans>Payment methods of the new country apply to deposits and withdrawals.</Trans>
  }
}
