import { expect, test } from 'vitest'
import { money } from './money.ts'
import { checkMarkReturned } from './returned-payouts.ts'

const payout = { reference: 'ours', sentMinor: 1_200n }
const threshold = money(1_000n, 'EUR')
const receipt = (amountMinor: bigint, ...named: string[]) => ({ amountMinor, named })
const marked = (sentMinor: bigint, isOwn = false) => ({ reference: 'other', sentMinor, isOwn })

test.each([
  ['that no receipt shows is rejected', {}, false],
  ['of which a receipt leaves less than the threshold missing is allowed', { receipts: [receipt(201n, 'ours')] }, true],
  ['of which a receipt leaves the threshold missing is rejected', { receipts: [receipt(200n, 'ours')] }, false],
  [
    'is rejected if its receipts show it only together',
    { receipts: [receipt(150n, 'ours'), receipt(60n, 'ours')] },
    false,
  ],
  ['whose receipt is larger is rejected', { receipts: [receipt(1_201n, 'ours')] }, false],
  ['whose receipt names another record too is rejected', { receipts: [receipt(1_190n, 'ours', 'other')] }, false],
  ['with a large receipt without a reference is allowed', { receipts: [receipt(1_190n)] }, true],
  ['with a receipt without a reference below the threshold is rejected', { receipts: [receipt(999n)] }, false],
  [
    'whose receipt may be that of another returned payout is rejected',
    { receipts: [receipt(1_190n)], returned: [marked(5_000n)] },
    false,
  ],
  [
    'is allowed if the other one has a receipt of its own',
    { receipts: [receipt(1_190n), receipt(4_990n, 'other')], returned: [marked(5_000n)] },
    true,
  ],
  [
    'counts with what is missing of those of the same person',
    { receipts: [receipt(1_150n, 'ours')], returned: [marked(950n, true)] },
    false,
  ],
  ['does not count with those of others', { receipts: [receipt(1_150n, 'ours')], returned: [marked(950n)] }, true],
  [
    'that is shown completely counts with no other',
    { receipts: [receipt(1_200n, 'ours')], returned: [marked(950n, true)] },
    true,
  ],
])(
  'a returned payout %s',
  (_, { receipts = [], returned = [] }: Partial<Parameters<typeof checkMarkReturned>[0]>, allowed) => {
    const refusal = checkMarkReturned({ payout, threshold, receipts, returned })
    expect(refusal).toBe(allowed ? null : 'return-needs-line')
  },
)
