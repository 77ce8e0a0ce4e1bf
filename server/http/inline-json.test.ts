import { expect, test } from 'vitest'
import { inlineJson } from './pages.ts'

test('a text of the firm that looks like markup stays inside the data block and is read unchanged', () => {
  const data = { title: '</script><script>alert(1)</script><!--' }
  const block = inlineJson('settings', 'en', data)
  const [, inside] = /^<script type="application\/json" id="settings" lang="en">([^<]*)<\/script>$/.exec(block) ?? []
  expect(JSON.parse(inside ?? 'null')).toEqual(data)
})
