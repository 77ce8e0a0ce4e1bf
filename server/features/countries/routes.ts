/** The country reference, in the reader's language: product-decisions section 11. */
import { listCountries } from '#contract/countries.ts'
import { addressAccepted, allCountries, identityAccepted } from '#rules/countries.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'

export function countryRoutes(serve: Serve, parts: Parts): void {
  serve(listCountries, async (call) => {
    const { changes } = await parts.settings.get('countries')
    const order = new Intl.Collator(call.language)
    const countries = allCountries(changes)
      .map(({ code, name, prefix, available, level }) => ({
        code,
        name: name[call.language],
        prefix,
        available,
        accepts: [...identityAccepted(level), ...addressAccepted(level)],
      }))
      .toSorted((a, b) => order.compare(a.name, b.name))
    return { countries }
  })
}
