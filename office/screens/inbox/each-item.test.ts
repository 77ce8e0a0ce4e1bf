import { expect, test } from 'vitest'
import { ApiError } from '#ui/api/api-error.ts'
import { forEachItem } from './each-item.ts'

const refusal = new ApiError({ status: 409, code: 'decided-meanwhile', error: 'A colleague has decided it.' })
const silence = new ApiError({ status: 0, code: 'no-answer', error: 'No answer.' })
const refusing = (failures: Readonly<Record<string, Error>>, asked: string[] = []) => ({
  asked,
  act: (item: string) => {
    asked.push(item)
    return failures[item] ? Promise.reject(failures[item]) : Promise.resolve(`${item} done`)
  },
})

test('an item that is refused does not keep the others from it', async () => {
  const { act } = refusing({ b: refusal })
  expect(await forEachItem(['a', 'b', 'c'], act)).toEqual({
    done: ['a done', 'c done'],
    refused: [{ item: 'b', failure: refusal }],
  })
})

test('after a request without an answer no other is sent, and the rest counts as not done', async () => {
  const { act, asked } = refusing({ b: silence })
  const { done, refused } = await forEachItem(['a', 'b', 'c'], act)
  expect(done).toEqual(['a done'])
  expect(refused.map(({ item }) => item)).toEqual(['b', 'c'])
  expect(asked).toEqual(['a', 'b'])
})

test('an error of our own is no refusal', async () => {
  const { act } = refusing({ a: new TypeError('broken') })
  await expect(forEachItem(['a'], act)).rejects.toThrow('broken')
})
