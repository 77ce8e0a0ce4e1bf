/** Professional applications for compliance: answers with evidence, and the 2-of-3 test. */
import type { getProfessional, listProfessional as listEndpoint } from '#contract/office/professional.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientState } from '#rules/clients.ts'
import { professionalMachine, professionalCriteria, type ProfessionalAnswers } from '#rules/professional-status.ts'
import { groupFor } from '#rules/platform-groups.ts'
import type { ClientId, ProfessionalId } from '#rules/ids.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { queuePage } from '../../office/listing.ts'
import { ownRequest } from '../../office/decide.ts'
import { clientBrief, recordFieldsOf, pageCheck } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { reasonText } from '../../i18n/format.ts'
import { applicationById, applicationColumns, professionalListing, type Application } from './queries.ts'

/** Returns applications in a state; without one, the pending ones, oldest first. */
export const listApplications: Handler<typeof listEndpoint> = (dependencies, context) => {
  const { name } = professionalMachine
  return queuePage(
    dependencies,
    name,
    professionalListing,
    applicationColumns,
    context,
    (application: Application) => ({
      createdAt: application.submittedAt,
      state: application.state,
      passed: professionalCriteria(application.answers).passed,
    }),
  )
}

type Page = ResponseOf<typeof getProfessional>['application']

interface EvidenceRow {
  email: string
  state: ClientState
  employment: Record<string, string> | null
  experience: Record<string, string> | null
  saidAgainAt: Date | null
}

/** Returns the page of one application. Throws `not-found`. */
export async function applicationPage(
  dependencies: Dependencies,
  context: RequestContext,
  id: ProfessionalId,
): Promise<Page> {
  const application = requireFound(await applicationById(dependencies.pool, id))
  const { clientId, state } = application
  const evidence = await row<EvidenceRow>(dependencies.pool)`
    select email::text as email, state, employment, trading_experience as experience,
        (select max(e.at) from events e where e.client_id = clients.id and e.kind = 'client'
          and e.verb in ('updateEmploymentIncome', 'updateTradingExperience')) as "saidAgainAt"
      from clients where id = ${clientId}`
  const own = ownRequest(context, evidence?.email ?? '')
  const closed = evidence?.state === 'closed' ? new Problem('applicant-closed') : null
  const { step: _step, subStep: _subStep, ...answers } = application.answers
  const { passed, enough } = professionalCriteria(answers)
  return {
    ...(await recordFieldsOf(context, dependencies, {
      ...application,
      createdAt: application.submittedAt,
      machine: professionalMachine,
      refusals: { approve: own ?? closed, reject: own, askMore: own, reverse: own },
    })),
    state,
    client: await clientBrief(dependencies, clientId),
    checks: [pageCheck('twoOfThree', enough ? 'ok' : 'differs', '2', passed)],
    answers,
    tests: criteriaOf(answers, evidence?.employment ?? null),
    passed,
    enough,
    saidAgainAt: evidence?.saidAgainAt ?? null,
    employment: evidence?.employment ?? null,
    experience: evidence?.experience ?? null,
    accounts: await liveAccounts(dependencies, application),
    earlier: await earlierOf(dependencies.pool, context.language, clientId, id),
  }
}

const sectors = ['Banking', 'Finance']
const portfolioBand = 'over 450,000'

/** Returns the client's claims with the data of the profile. Trades at other firms are unknown. */
function criteriaOf(answers: ProfessionalAnswers, employment: Record<string, string> | null): Page['tests'] {
  const { trades, portfolio, experience } = professionalCriteria(answers)
  const industry = employment?.['industry'] ?? null
  const savings = employment?.['savings'] ?? null
  return [
    { code: 'trades', claimed: trades, evidence: null, verdict: 'unknown' },
    {
      code: 'portfolio',
      claimed: portfolio,
      evidence: savings,
      verdict: !portfolio || savings === null ? 'unknown' : savings === portfolioBand ? 'ok' : 'differs',
    },
    {
      code: 'experience',
      claimed: experience,
      evidence: [industry, employment?.['position']].filter(Boolean).join(', ') || null,
      verdict: !experience || industry === null ? 'unknown' : sectors.includes(industry) ? 'ok' : 'warn',
    },
  ]
}

/** Returns the live accounts, each with whether it can follow the pending decision. */
async function liveAccounts(
  { pool, settings }: Pick<Dependencies, 'pool' | 'settings'>,
  { clientId, accounts: chosen, state }: Application,
): Promise<Page['accounts']> {
  const { rows: groups } = await settings.get('platformGroups')
  const found = await rows<Omit<Page['accounts'][number], 'chosen' | 'groupMissing'> & { country: string }>(pool)`
    select id, login as number, platform, acc_type as type, currency, leverage, client_status as "clientStatus",
        (select c.country from clients c where c.id = client_id) as country
      from trading_accounts where client_id = ${clientId} and request_type = 'live' and state = 'approved' order by id`
  const isOpen = professionalMachine.transitions.approve.from.some((one) => one === state)
  return found.map(({ country, ...account }) => {
    const { id, platform, type, currency, clientStatus } = account
    const isReversible = state === 'approved' && clientStatus === 'professional'
    const status = isOpen ? 'professional' : 'retail'
    const group = groupFor(groups, { platform, realm: 'real', type, currency, status, country })
    return { ...account, chosen: chosen.includes(id), groupMissing: (isOpen || isReversible) && group === null }
  })
}

async function earlierOf(
  connection: Connection,
  language: Language,
  clientId: ClientId,
  except: string,
): Promise<Page['earlier']> {
  const found = await rows<Page['earlier'][number]>(connection)`
    select id, state, submitted_at as "submittedAt", decided_at as "decidedAt", reason from professional_applications
      where client_id = ${clientId} and id <> ${except} order by id desc limit 50`
  return found.map((one) => ({ ...one, reason: reasonText(one.reason, language) }))
}
