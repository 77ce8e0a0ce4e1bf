import { expect, test } from 'vitest'
import { compareNames } from './name-checks.ts'

test.each([
  ['Hannah Brandt', 'Hannah Brandt', 'same'],
  ['BRANDT, HANNAH', 'Hannah Brandt', 'same'],
  ['Frau Dr. Hannah Brandt', 'Hannah Brandt', 'same'],
  ['Hannah Maria Brandt', 'Hannah Brandt', 'same'],
  ['Jürgen Müller', 'Juergen Mueller', 'same'],
  ['Jurgen Muller', 'Jürgen Müller', 'same'],
  ['Søren Østergård', 'Soeren Oestergaard', 'same'],
  ['François Lefèvre', 'Francois Lefevre', 'same'],
  ["Sean O'Connor", 'Sean OConnor', 'same'],
  ['Anna Schmidt-Weiß', 'Anna Schmidt Weiss', 'same'],
  ['Łukasz Wójcik', 'Lukasz Wojcik', 'same'],
  ['H. Brandt', 'Hannah Brandt', 'near'],
  ['Hanna Brandt', 'Hannah Brandt', 'near'],
  ['Hannah Barndt', 'Hannah Brandt', 'near'],
  ['Brandt', 'Hannah Brandt', 'near'],
  ['Hannah Brandt und Peter Brandt', 'Hannah Brandt', 'near'],
  ['Peter & Hannah Brandt', 'Hannah Brandt', 'near'],
  ['Peter Brandt', 'Hannah Brandt', 'far'],
  ['Brandt GmbH', 'Hannah Brandt', 'far'],
  ['H. B.', 'Hannah Brandt', 'far'],
  ['Peter Olsen', 'Hannah Brandt', 'far'],
  ['', 'Hannah Brandt', 'far'],
  ['Li Wu', 'Li Xu', 'far'],
  ['Ali Ali', 'Ali Ali', 'same'],
  ['Ali', 'Ali Ali', 'near'],
  ['Ahmed Ahmed', 'Ahmed Hassan', 'far'],
  ['Ali Reza Hosseini', 'Ali Ali', 'far'],
] as const)('the account holder "%s" compared with the client "%s" is rated %s', (holder, client, expected) => {
  expect(compareNames(holder, client)).toBe(expected)
})
