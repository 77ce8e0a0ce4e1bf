import { acceptDeclarations } from '#contract/declarations.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { acceptDeclaration } from './accept-declaration.ts'

export function declarationRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(acceptDeclarations, acceptDeclaration)
}
