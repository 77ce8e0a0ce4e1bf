import { acceptDeclarations } from '#contract/declarations.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { acceptDeclaration } from './accept-declaration.ts'

export function declarationRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(acceptDeclarations, (context) => acceptDeclaration(dependencies, context))
}
