import { acceptDeclarations } from '#contract/declarations.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { acceptDeclaration } from './accept-declaration.ts'

export function declarationRoutes(serve: Serve, parts: Parts): void {
  serve(acceptDeclarations, (call) => acceptDeclaration(parts, call))
}
