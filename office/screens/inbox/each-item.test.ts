import { expect, test } from 'vitest'
import { ApiError, serverTexts } from '#ui/api/api-error.ts'
import { forEachItem } from './each-item.ts'

const conflictError = new ApiError({
  status: 409,
  code: 'decided-meanwhile',
  texts: () => serverTexts('A colleague has decided it.'),
})
const noAnswerError = new ApiError({ status: 0, code: 'no-answer', texts: () => serverTexts('No answer.') })
const failingAction = (failures: Readonly<Record<string, Error>>, asked: string[] = []) => ({
  asked,
  act: (item: string) => {
    asked.push(item)
    return failures[item] ? Promise.reject(failures[item]) : Promise.resolve(`${item} done`)
  },
})

test('a rejected item does not stop the others from being processed', async () => {
  const { act } = failingAction({ b: conflictError })
  expect(await forEachItem(['a', 'b', 'c'], act)).toEqual({
    done: ['a done', 'c done'],
    refused: [{ item: 'b', failure: conflictError }],
  })
})

test('after a request without a response no further request is sent, and the remaining items count as not done', async () => {
  const { act, asked } = failingAction({ b: noAnswerError })
  const { done, refused } = await forEachItem(['a', 'b', 'c'], act)
  expect(done).toEqual(['a done'])
  expect(refused.map(({ item }) => item)).toEqual(['b', 'c'])
  expect(asked).toEqual(['a', 'b'])
})

test('a programming error is thrown instead of being reported as a rejected item', async () => {
  const { act } = failingAction({ a: new TypeError('broken') })
  await expect(forEachItem(['a'], act)).rejects.toThrow('broken')
})
