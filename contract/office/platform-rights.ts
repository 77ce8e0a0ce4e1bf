/** Permissions that our login at a platform needs: their names there, and the effect of a missing one. */
import * as z from 'zod/mini'
import { platforms } from '#rules/constants.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, seconds } from '../fields.ts'
import { msg } from '../message.ts'
import { root } from './briefs.ts'

export const platformRights = ['accounts', 'money', 'personal-data', 'deals'] as const
export type PlatformRight = (typeof platformRights)[number]

/** In the terms of the vendor's Administrator program. */
export const platformRightLabels: Readonly<Record<PlatformRight, ReturnType<typeof msg>>> = {
  accounts: msg`Access to accounts`,
  money: msg`Balance operations`,
  'personal-data': msg`Access to personal data of accounts`,
  deals: msg`Access to trade orders`,
}

export const platformRightEffects: Readonly<Record<PlatformRight, ReturnType<typeof msg>>> = {
  accounts: msg`Balances cannot be read and no money moves.`,
  money: msg`No money moves.`,
  'personal-data': msg`Comments are hidden. If the platform does not respond while an account is opened, the account cannot be found.`,
  deals: msg`Deals cannot be read. No operation is confirmed and accounts are not reconciled.`,
}

export const listMissingRights = endpoint('listMissingRights', `GET ${root}/missing-rights`, {
  summary: 'Returns the platforms on which our login is missing permissions, as last read.',
  access: readPermissions.failedJobs,
  response: z.object({
    platforms: z.array(
      z.object({ platform: choice(platforms), readAt: seconds, rights: z.array(choice(platformRights)) }),
    ),
  }),
})
