/** Splits a list into parts of at most `size`, in order. */
export function splitIntoParts<One>(list: readonly One[], size: number): One[][] {
  const parts: One[][] = []
  for (let first = 0; first < list.length; first += size) parts.push(list.slice(first, first + size))
  return parts
}
