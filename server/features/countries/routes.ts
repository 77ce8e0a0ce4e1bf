/** The country reference in the reader's language (requirements 14.2). */
import { listCountries } from '#contract/countries.ts'
import { allCountries } from '#rules/countries.ts'
import { addressAccepted, identityAccepted } from '#rules/documents.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'

export function countryRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(listCountries, async (dependencies, context) => {
    const { changes } = await dependencies.settings.get('countries')
    const order = new Intl.Collator(context.language)
    const countries = allCountries(changes)
      .map(({ code, name, prefix, available, level }) => ({
        code,
        name: name[context.language],
        prefix,
        available,
        accepts: [...identityAccepted(level), ...addressAccepted(level)],
      }))
      .toSorted((a, b) => order.compare(a.name, b.name))
    return { countries }
  })
}
