/** How long a step-up confirmation counts: ASVS 7.5. */
import { stepUpMinutesMax } from './constants.ts'

/** What somebody proves it with: the app's code where there is a second factor, else the password. */
export const stepUpMethods = ['password', 'code'] as const
export type StepUpMethod = (typeof stepUpMethods)[number]

/**
 * Returns until when a proof counts; null where nothing was proved in this session. `minutes` is the firm's setting.
 */
export function stepUpEnds(provedAt: Date | null, minutes: number): Date | null {
  return provedAt === null ? null : new Date(provedAt.getTime() + minutes * 60_000)
}

/** The clocks of several servers differ by less. */
const aheadMsMax = 60_000

/**
 * Returns whether a proof still counts; one of a time that lies ahead was given before the clock was set back
 * (requirements 33.10).
 */
export function isStepUpFresh(provedAt: Date | null, minutes: number, now: Date): boolean {
  const ends = stepUpEnds(provedAt, minutes)
  return ends !== null && now < ends && ends.getTime() - now.getTime() <= minutes * 60_000 + aheadMsMax
}

/** Returns whether a firm may set this: at least a minute, so that a proof is good for the call it was given for. */
export function isStepUpMinutes(minutes: number): boolean {
  return minutes >= 1 && minutes <= stepUpMinutesMax
}
