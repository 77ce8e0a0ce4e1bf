/** How long a step-up confirmation is valid (ASVS 7.5). */
import { stepUpMinutesMax } from './constants.ts'

/** The method of confirmation: the app's code if 2FA is on, else the password. */
export const stepUpMethods = ['password', 'code'] as const
export type StepUpMethod = (typeof stepUpMethods)[number]

/** Returns until when a confirmation is valid; null without one in this session. `minutes` is the firm's setting. */
export function stepUpEnds(provedAt: Date | null, minutes: number): Date | null {
  return provedAt === null ? null : new Date(provedAt.getTime() + minutes * 60_000)
}

/** The maximum difference between clocks of several servers. */
const aheadMsMax = 60_000

/**
 * Returns whether a confirmation is still valid; one in the future was given before the clock was set back
 * (requirements 33.10).
 */
export function isStepUpFresh(provedAt: Date | null, minutes: number, now: Date): boolean {
  const ends = stepUpEnds(provedAt, minutes)
  return ends !== null && now < ends && ends.getTime() - now.getTime() <= minutes * 60_000 + aheadMsMax
}

/**
 * Returns whether the value is permitted: at least a minute, so that a confirmation is valid for the request it was
 * given for.
 */
export function isStepUpMinutes(minutes: number): boolean {
  return minutes >= 1 && minutes <= stepUpMinutesMax
}
