/** Schemas of the environment variables' values, by form: numbers, switches and addresses. */
import * as z from 'zod/mini'

export const wholeNumber = (from: number, to: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
    z.number().check(z.minimum(from), z.maximum(to)),
  )
export const text = z.string().check(z.minLength(1), z.maxLength(500))
/** `114:1,119:3`: Connect's number of a product, and the provider's own number. */
export const productNumbers = z.pipe(
  z.string().check(z.regex(/^\d{1,6}:[1-9]\d{0,5}(,\d{1,6}:[1-9]\d{0,5})*$/)),
  z.transform(
    (pairs) =>
      new Map(
        pairs.split(',').map((pair) => {
          const [product = '', providerNumber = ''] = pair.split(':')
          return [Number(product), Number(providerNumber)] as const
        }),
      ),
  ),
)
export const onOrOff = z.pipe(
  z.enum(['on', 'off']),
  z.transform((word) => word === 'on'),
)

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether an address never leaves this machine: plain http is a secure context there (requirements 4.26). */
function isLoopback(address: string): boolean {
  return loopbackHosts.includes(new URL(address).hostname)
}

export const address = (...protocols: string[]) =>
  z.string().check(z.refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol)))
const secureAddress = address('http:', 'https:').check(
  z.refine((value) => URL.canParse(value) && (new URL(value).protocol === 'https:' || isLoopback(value))),
)
/** Only scheme, host and port, without a slash at the end. */
export const origin = z.pipe(
  secureAddress.check(z.refine((value) => URL.canParse(value) && new URL(value).pathname === '/')),
  z.transform((value) => new URL(value).origin),
)
export const integrationUrl = z.pipe(
  secureAddress,
  z.transform((value) => value.replace(/(?<!\/)\/+$/, '')),
)
export const hostAndPort = z.pipe(
  z.string().check(z.regex(/^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/)),
  z.transform((value) => {
    const colon = value.lastIndexOf(':')
    return { host: value.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(value.slice(colon + 1)) }
  }),
)
/** Either a number of hops or the proxies' addresses, in the form of fastify's trustProxy. */
export const proxies = z.pipe(
  z.string().check(z.regex(/^(\d|[0-9a-fA-F.:/]+(,\s*[0-9a-fA-F.:/]+)*)$/)),
  z.transform((value) => (/^\d$/.test(value) ? Number(value) : value.split(',').map((part) => part.trim()))),
)
