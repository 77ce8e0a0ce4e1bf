/** Sign-in, the current user, sign-out: requirements 4. */
import { currentUser, login, loginSecondFactor, logout, passwordKey, setLanguage } from '#contract/users-session.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { chooseLanguage } from './choose-language.ts'
import { logIn } from './log-in.ts'
import { logInSecondFactor } from './log-in-second-factor.ts'
import { logOut } from './log-out.ts'
import { showUser } from './show-user.ts'

export function sessionRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(login, (context) => logIn(dependencies, context))
  registerEndpoint(loginSecondFactor, (context) => logInSecondFactor(dependencies, context))
  registerEndpoint(currentUser, (context) => showUser(dependencies, context))

  registerEndpoint(passwordKey, async () => {
    const { kty = '', n = '', e = '', kid = '', alg = '', use = '' } = dependencies.keys.password.current.publicJwk
    return { key: { kty, n, e, kid, alg, use } }
  })

  registerEndpoint(logout, (context) => logOut(dependencies, context))
  registerEndpoint(setLanguage, (context) => chooseLanguage(dependencies, context))
}
