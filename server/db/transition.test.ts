import type { StaffId, WithdrawalId } from '#rules/ids.ts'
import { expect, test } from 'vitest'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { Problem } from '#server/http/problem.ts'
import { applyTransition } from './transition.ts'
import { transaction } from './sql.ts'
import { serverForFile } from '#tests/for-file.ts'

const server = serverForFile()

test('an action is rejected for a role that the transition does not list, before the record is read and even if the endpoint admits it', async () => {
  const auditContext = {
    identity: {
      kind: 'staff' as const,
      id: '00000000-0000-7000-8000-000000000001' as StaffId,
      roles: ['finance' as const],
    },
    now: server.clock.now(),
    address: '127.0.0.1',
    reference: 'test',
  }
  const moved = transaction(server.dependencies.pool, (tx) =>
    applyTransition(
      tx,
      withdrawalMachine,
      auditContext,
      { id: '00000000-0000-7000-8000-000000000002' as WithdrawalId },
      'approve',
      { to: 'processing' },
    ),
  )
  await expect(moved).rejects.toEqual(new Problem('wrong-role'))
})
