import { describe, expect, test } from 'vitest'
import { isPrivateAddress } from '../http/network.ts'
import { isLoopback, integrationUrl, publicLookup } from './address.ts'

describe('the address of an integration', () => {
  test('must use HTTPS, or HTTP on this machine', () => {
    expect(integrationUrl('https://platform.example.com', 'It').host).toBe('platform.example.com')
    expect(integrationUrl('http://127.0.0.1:8080', 'It').port).toBe('8080')
    for (const text of ['http://platform.example.com', 'ftp://localhost', 'file:///etc/passwd', 'platform', '']) {
      expect(() => integrationUrl(text, 'It')).toThrow('It')
    }
    expect(() => integrationUrl('https://a:b@platform.example.com', 'It')).toThrow('password')
  })

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'fec0::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b::169.254.169.254',
    '2002:7f00:1::1',
    'no address',
  ])('%s counts as private', (address) => expect(isPrivateAddress(address)).toBe(true))

  test.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1'])(
    '%s counts as public',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false)
    },
  )

  test('is not connected to if its name resolves to a private network', async () => {
    const failure = await new Promise((resolve) => publicLookup('localhost', {}, resolve))
    expect(String(failure)).toContain('resolves to a private address')
  })

  test('is recognised as this machine in all its forms', () => {
    expect(['localhost', '127.0.0.1', '127.9.9.9', '[::1]', '::1'].every(isLoopback)).toBe(true)
    expect(['127.0.0.1.example.com', 'example.com', '128.0.0.1'].some(isLoopback)).toBe(false)
  })
})
