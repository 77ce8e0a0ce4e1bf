import { expect, test } from 'vitest'
import { releaseMemoryWhenIdle } from './release-memory.ts'

test('the memory used by the start is released once, after the first pause in which the server was idle', async () => {
  const shares = [0.9, 0.2, 0.01]
  const happened: string[] = []
  await releaseMemoryWhenIdle(async () => void happened.push('collected'), {
    busyShare: () => {
      const share = shares.shift() ?? 0
      happened.push(`busy ${share}`)
      return share
    },
    pause: async (ms) => void happened.push(`paused ${ms}`),
  })
  expect(happened.join(', ')).toBe('paused 5000, busy 0.9, paused 5000, busy 0.2, paused 5000, busy 0.01, collected')
})
