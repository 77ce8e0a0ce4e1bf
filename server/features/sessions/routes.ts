/** Login, the current user and logout (requirements 4). */
import { currentUser, login, loginSecondFactor, logout, passwordKey, setLanguage } from '#contract/users-session.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { chooseLanguage } from './choose-language.ts'
import { logIn } from './log-in.ts'
import { logInSecondFactor } from './log-in-second-factor.ts'
import { logOut } from './log-out.ts'
import { showUser } from './show-user.ts'

export function sessionRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(login, logIn)
  registerEndpoint(loginSecondFactor, logInSecondFactor)
  registerEndpoint(currentUser, showUser)

  registerEndpoint(passwordKey, async (dependencies) => {
    const { kty = '', n = '', e = '', kid = '', alg = '', use = '' } = dependencies.keys.password.current.publicJwk
    return { key: { kty, n, e, kid, alg, use } }
  })

  registerEndpoint(logout, logOut)
  registerEndpoint(setLanguage, chooseLanguage)
}
