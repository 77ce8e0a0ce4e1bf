/**
 * Set-up of the unit tests: properties are tested with the same random values in every run, so that no run fails by
 * chance; `FUZZ_SEED` selects other values.
 */
import fc from 'fast-check'

/** The day of the tests' clock. */
export const propertySeed = Number(process.env['FUZZ_SEED'] ?? 20_260_619)

fc.configureGlobal({ seed: propertySeed })
