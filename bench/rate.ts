/** Measures how often concurrent callers do something per second. */

/** Measures `work`, which receives the number of its worker, from 0. The first tenth is a warm-up and not counted. */
export async function measureRate(
  seconds: number,
  workers: number,
  work: (worker: number) => Promise<unknown>,
): Promise<number> {
  const begun = performance.now()
  const countsFrom = begun + seconds * 100
  const until = begun + seconds * 1000
  let done = 0
  const one = async (worker: number) => {
    while (performance.now() < until) {
      await work(worker)
      if (performance.now() >= countsFrom) done += 1
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => one(worker)))
  return done / ((performance.now() - countsFrom) / 1000)
}

const turns = 3

/** Measures both alternately, so that other load of the machine affects both; returns the means of their rates. */
export async function measureAlternately(
  seconds: number,
  product: (seconds: number) => Promise<number>,
  baseline: (seconds: number) => Promise<number>,
): Promise<{ product: number; baseline: number }> {
  const sums = { product: 0, baseline: 0 }
  for (let turn = 0; turn < turns; turn += 1) {
    sums.baseline += await baseline(seconds / turns)
    sums.product += await product(seconds / turns)
  }
  return { product: sums.product / turns, baseline: sums.baseline / turns }
}
