import { expect, test } from 'vitest'
import { checkTradingPassword } from '#rules/passwords.ts'
import { newTradingPassword } from './first-password.ts'

test('generated trading passwords have 12 characters and follow the rule for clients’ own ones', () => {
  for (let drawn = 0; drawn < 1_000; drawn += 1) {
    const password = newTradingPassword()
    expect(password).toHaveLength(12)
    expect([password, checkTradingPassword(password)]).toEqual([password, null])
  }
})
