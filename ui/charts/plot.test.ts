/** Axes, gaps, steps, jumps and bars of charts. */
import { expect, test } from 'vitest'
import { areaPath, barsPath, topPercent, labelledIndexes, linePath, scaleOf } from './plot.ts'

test('an axis has at most four marks, begins at its lowest mark and covers every value', () => {
  expect(scaleOf([1_968, 12_911]).marks).toEqual([0, 5_000, 10_000])
  expect(scaleOf([-50, 20]).marks).toEqual([-50, -25, 0])
  expect(scaleOf([-50, -20]).marks).toEqual([-60, -40, -20, 0])
  for (const values of [
    [0.4, 0.9],
    [3, 7_777_777],
    [-1, 1],
    [-8_000_000, 12],
  ]) {
    const { low, high, marks } = scaleOf(values)
    expect(marks.length).toBeLessThanOrEqual(4)
    expect(low).toBeLessThanOrEqual(Math.min(...values))
    expect(high).toBeGreaterThanOrEqual(Math.max(...values))
    expect(marks[0]).toBe(low)
  }
})

test('a range of less than a quarter of the value is enlarged and its lowest mark shown, unless zero is required', () => {
  const { low, marks } = scaleOf([10_000, 10_400])
  expect(low).toBe(10_000)
  expect(marks[0]).toBe(10_000)
  expect(scaleOf([10_000, 10_400], true).low).toBe(0)
})

test('an axis is drawn for no values, for a single value and for equal values', () => {
  for (const values of [[], [0], [0, 0], [5, 5], [-5, -5]]) {
    const scale = scaleOf(values)
    expect([scale.low, scale.high]).toContain(0)
    expect(scale.high).toBeGreaterThan(scale.low)
    for (const value of values) expect(topPercent(scale, value)).toBeGreaterThanOrEqual(0)
    for (const value of values) expect(topPercent(scale, value)).toBeLessThanOrEqual(100)
  }
})

const hundred = { low: 0, high: 100, marks: [0] }

test('a missing day is drawn as a gap, not as zero', () => {
  expect(linePath([0, 50, null, 100, 100], hundred)).toBe('M0 100L250 50M750 0L1000 0')
  expect(areaPath([0, 50, null, 100], hundred)).toBe('M0 100L333.33 50L333.33 100L0 100ZM1000 0h0L1000 100L1000 100Z')
  // A value without neighbours is drawn as a dot.
  expect(linePath([0, null, 100], hundred)).toBe('M0 100h0M1000 0h0')
  expect(linePath([null, null], hundred)).toBe('')
})

test('a balance is drawn in steps, and a deposit or withdrawal as a vertical jump rather than a slope', () => {
  expect(linePath([0, 50, 100], hundred, { steps: true })).toBe('M0 100H500V50H1000V0')
  expect(linePath([10, 90, 80], hundred, { jumps: [0, 75, 0] })).toBe('M0 90L500 85V10L1000 20')
  // A day that lost its deposit and a day that regained its withdrawal stay within the chart.
  expect(linePath([50, 10, 90], hundred, { jumps: [0, 500, -500] })).toBe('M0 50L500 100V90L1000 0V10')
})

test('bars start at zero and point up or down, and a value of zero has no bar', () => {
  const scale = { low: -100, high: 100, marks: [] }
  expect(barsPath([100, 0], scale)).toBe('M90 50V0h320V50Z')
  expect(barsPath([0, -50], scale)).toBe('M590 50V75h320V50Z')
})

test('the first and the last day are labelled, and no more days than requested', () => {
  expect(labelledIndexes(90, 4)).toEqual([0, 30, 59, 89])
  expect(labelledIndexes(20, 4)).toEqual([0, 6, 13, 19])
  expect(labelledIndexes(6, 4)).toEqual([0, 3, 5])
  expect(labelledIndexes(4, 4)).toEqual([0, 1, 2, 3])
  expect(labelledIndexes(2, 4)).toEqual([0, 1])
  expect(labelledIndexes(1, 4)).toEqual([0])
  expect(labelledIndexes(0, 4)).toEqual([])
})
