/** Imported before any schema: without it each object schema probes `new Function`, and the CSP reports that. */
import * as z from 'zod/mini'

z.config({ jitless: true })
