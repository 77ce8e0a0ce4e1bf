/** The retcodes of this server. */

/** A retcode other than 0 and 1. */
export class Refused extends Error {
  readonly retcode: number

  constructor(retcode: number) {
    super(retcodeText(retcode))
    this.retcode = retcode
  }
}

/** HTTP 403: the manager account lacks the permission for the call. */
export class Forbidden extends Error {}

const retcodes: Readonly<Record<number, string>> = {
  3: 'Invalid parameters',
  7: 'Network error',
  8: 'Not enough permissions',
  9: 'Timeout expired',
  10: 'No connection',
  12: 'Too frequent requests',
  13: 'Not found',
  17: 'Duplicate information',
  3002: 'The range of logins has been exhausted',
  3004: 'The account already exists',
  3006: 'Incorrect account password',
  3008: 'The account has open positions',
  3010: 'Different deposit currency',
  4005: 'Reached the limit on the amount of money',
  10017: 'Trade is disabled',
  10019: 'Not enough money',
}

/** Returns a retcode's text, such as "13 Not found". */
export function retcodeText(retcode: number): string {
  return `${retcode} ${retcodes[retcode] ?? 'Error'}`
}
