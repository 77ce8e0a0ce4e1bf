import { expect, test } from 'vitest'
import { usablePort } from './simulators.ts'

test('a port is handed out only once, even if nothing listens on it yet', async () => {
  const first = await usablePort(0)
  expect(await usablePort(first)).not.toBe(first)
  const many = await Promise.all(Array.from({ length: 50 }, () => usablePort(0)))
  expect(new Set(many).size).toBe(50)
})
