import { compileMessage as compileAll } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { compileMessage } from './message-compiler.ts'

test.each([
  'Log in',
  'Reference {reference}',
  "You don't need to, it's done",
  "''quoted'' and '{braces}' stay",
  'Questions: <0>{0}</0>, or <1/>',
  '{count, plural, one {# request waits} other {# requests wait}}',
  '{count, plural, =0 {Nothing waits} one {<0>#</0> waits for {name}} other {# wait}}',
  '{count, plural, offset:1 one {you and # other} other {you and # others}} here',
  '{kind, select, wire {By bank transfer # {amount}} other {By card}}.',
  '{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
  '{a, plural, other {{b, plural, one {# x} other {# y}}}}',
  'A # that counts nothing',
])('the message "%s" is compiled exactly as Lingui compiles it', (message) => {
  expect(compileMessage(message)).toEqual(compileAll(message))
})
