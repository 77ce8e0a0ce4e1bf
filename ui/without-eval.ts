/** Must be imported before any schema: without it each object schema probes `new Function`, which the CSP reports. */
import * as z from 'zod/mini'

z.config({ jitless: true })
