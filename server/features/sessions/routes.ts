/** Sign-in, the current user, sign-out: specification section 7, product-decisions sections 3 and 10. */
import { currentUser, login, loginSecondFactor, logout, passwordKey, setLanguage } from '#contract/users-session.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { chooseLanguage } from './choose-language.ts'
import { logIn } from './log-in.ts'
import { logInSecondFactor } from './log-in-second-factor.ts'
import { logOut } from './log-out.ts'
import { showUser } from './show-user.ts'

export function sessionRoutes(serve: Serve, parts: Parts): void {
  serve(login, (call) => logIn(parts, call))
  serve(loginSecondFactor, (call) => logInSecondFactor(parts, call))
  serve(currentUser, (call) => showUser(parts, call))

  serve(passwordKey, async () => {
    const { kty = '', n = '', e = '', kid = '', alg = '', use = '' } = parts.keys.password.current.publicJwk
    return { key: { kty, n, e, kid, alg, use } }
  })

  serve(logout, (call) => logOut(parts, call))
  serve(setLanguage, (call) => chooseLanguage(parts, call))
}
