/**
 * What the card provider must answer: signed questions for ids that it cannot have, by the adapter itself, so that the
 * firm's kind of provider is asked in its own way. Nothing is changed.
 */
import { Differs, type ConformanceCheck } from '../conformance.ts'
import type { PaymentProvider } from './payment-provider.ts'

const absentId = 'conformance-no-such-id'

export function cardConformance(provider: Pick<PaymentProvider, 'getStatus'>): ConformanceCheck[] {
  // Only the provider's own record of an error, under our signature, is read as "there is none".
  const absent = async (paymentId: string | null) => {
    const { state } = await provider.getStatus(absentId, paymentId)
    if (state !== 'expired') throw new Differs('something that cannot exist has a status')
  }
  return [
    { name: 'signed question for an unknown checkout', gate: 'run', run: () => absent(null) },
    { name: 'signed question for an unknown payment', run: () => absent(absentId) },
  ]
}
