import { expect, test } from 'vitest'
import { inlineJson } from './pages.ts'

test('a text of the firm that looks like markup stays inside the block of data, and reads as it was', () => {
  const data = { title: '</script><script>alert(1)</script><!--' }
  const block = inlineJson('settings', 'en', data)
  const [, inside] = /^<script type="application\/json" id="settings" lang="en">([^<]*)<\/script>$/.exec(block) ?? []
  expect(JSON.parse(inside ?? 'null')).toEqual(data)
})
