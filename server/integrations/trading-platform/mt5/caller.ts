/** Calls of the Web API by their meaning: queries, and changes that may or must not be repeated. */
import { countCall, type CallCount } from '../../call-counts.ts'
import { Rejected, Unavailable, Unknown, type RefusalReason } from '../../errors.ts'
import type { CallBody, Mt5Call, Mt5Session } from './session.ts'
import { listOf, recordOf } from './values.ts'

type Query = Readonly<Record<string, string>>

export class Mt5Caller {
  readonly #questions: Mt5Session
  readonly #writes: Mt5Session

  readonly #calls: CallCount

  constructor(questions: Mt5Session, writes: Mt5Session, calls: CallCount) {
    this.#questions = questions
    this.#writes = writes
    this.#calls = calls
  }

  /** Returns the record of a query. */
  async record(path: string, query: Query): Promise<Record<string, unknown>> {
    return recordOf(await this.answer({ path, query, kind: 'question' }))
  }

  /** Returns the record of a query, or null if the platform has none. */
  async recordIfAny(path: string, query: Query): Promise<Record<string, unknown> | null> {
    const answer = await this.#answerIfAny({ path, query, kind: 'question' })
    return answer === null ? null : recordOf(answer)
  }

  /** Returns the records of a query, possibly an empty list. */
  async list(path: string, query: Query, bytesMax?: number): Promise<Record<string, unknown>[]> {
    const call: Mt5Call = { path, query, kind: 'question', ...(bytesMax !== undefined && { bytesMax }) }
    const answer = await this.#answerIfAny(call)
    return answer === null ? [] : listOf(answer)
  }

  /** Returns the records of a query that is too long for an address. */
  async listByBody(path: string, body: CallBody): Promise<Record<string, unknown>[]> {
    const answer = await this.#answerIfAny({ path, body, kind: 'question' })
    return answer === null ? [] : listOf(answer)
  }

  /** Returns the records of a query that may return a single record without a list (webapi_daily_get_light). */
  async listOrOne(path: string, query: Query): Promise<Record<string, unknown>[]> {
    const answer = await this.#answerIfAny({ path, query, kind: 'question' })
    if (answer === null) return []
    return Array.isArray(answer) ? listOf(answer) : [recordOf(answer)]
  }

  /** Returns the texts of a query, such as logins. */
  async texts(path: string, query: Query): Promise<string[]> {
    // An omitted value would be an account that seems not to exist.
    return (await this.values(path, query)).map((one) => {
      if (typeof one !== 'string') throw new Unavailable(`${path}: the answer is not a list of texts`)
      return one
    })
  }

  /** Returns the values of a query as they were sent, such as names of groups. */
  async values(path: string, query: Query = {}): Promise<readonly unknown[]> {
    const answer = await this.#answerIfAny({ path, query, kind: 'question' })
    if (answer === null) return []
    if (!Array.isArray(answer)) throw new Unavailable(`${path}: the answer is not a list`)
    return answer
  }

  async #answerIfAny(call: Mt5Call): Promise<unknown> {
    try {
      return (await this.answer(call)) ?? null
    } catch (error) {
      if (error instanceof Rejected && error.reason === 'not-found') return null
      throw error
    }
  }

  /**
   * Returns the response of a successful call, undefined if the platform returned nothing; otherwise throws the failure
   * that determines what may be done next.
   */
  answer(call: Mt5Call): Promise<unknown> {
    return countCall(this.#calls, () => this.#answer(call))
  }

  async #answer(call: Mt5Call): Promise<unknown> {
    const { retcode, text, answer } = await (call.kind === 'question' ? this.#questions : this.#writes).call(call)
    if (retcode === done) return answer
    if (retcode === doneWithoutAnswer) return undefined
    const reason = refusals.get(retcode)
    if (reason !== undefined && (call.kind !== 'question' || retcode === notFound || reason === 'no-permission')) {
      throw new Rejected(reason, `mt5:${retcode}`, `The platform answered ${text}`)
    }
    if (call.kind === 'once' && retcode !== tooFrequent) throw new Unknown(`The platform answered ${text}`)
    throw new Unavailable(`The platform answered ${text}`)
  }
}

/** Any other code after a write is unreliable: network, time-out, partial, shutdown and unknown codes. */
export const refusals: ReadonlyMap<number, RefusalReason> = new Map<number, RefusalReason>([
  [3, 'bad-input'],
  [4, 'bad-input'],
  [8, 'no-permission'],
  [13, 'not-found'],
  [17, 'exists-already'],
  [3002, 'logins-exhausted'],
  [3003, 'logins-exhausted'],
  [3004, 'exists-already'],
  [3006, 'weak-password'],
  [3007, 'logins-exhausted'],
  [3008, 'open-positions'],
  [3009, 'refused'],
  [3010, 'wrong-currency'],
  [4005, 'amount-too-large'],
  [10006, 'refused'],
  [10013, 'bad-input'],
  [10017, 'trading-disabled'],
  [10018, 'trading-disabled'],
  [10019, 'not-enough-money'],
])

const done = 0
/** "Successful completion with no information returned": an empty list, if a list was queried. */
const doneWithoutAnswer = 1
const notFound = 13
/** "Too frequent requests": it was not processed. */
const tooFrequent = 12
