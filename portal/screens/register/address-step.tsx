import { Trans } from '@lingui/react/macro'
import { fieldsOfStep, pick, textsOf } from '#rules/profile-fields.ts'
import { useFormValues } from '#ui/forms/form-values.ts'
import { AddressFields, useAddressErrors } from '../profile/address-fields.tsx'
import { useRegistration } from './registration-state.ts'
import { StepForm } from './step-form.tsx'

/** 2.3 */
export function AddressStep() {
  const { answersOf, countries } = useRegistration()
  const faultsOf = useAddressErrors(countries)
  const form = useFormValues(
    textsOf(fieldsOfStep('2.3'), { ...pick(answersOf('1.1'), ['country']), ...answersOf('2.3') }),
  )
  return (
    <StepForm
      title={<Trans>Where do you live?</Trans>}
      lead={
        <Trans>
          Your home address, not a company address or PO box. It must match the proof of address you upload later.
        </Trans>
      }
      form={form}
      faults={() => faultsOf(form.values)}
      answers={() => form.values}
      why={
        <Trans>
          Brokers are legally required to know who their clients are and where they live. Your address determines which
          rules protect you.
        </Trans>
      }
    >
      <AddressFields form={form} countries={countries} />
    </StepForm>
  )
}
