/** Professional client applications of the client. */
import { listProfessional } from '#contract/office/professional.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientState } from '#rules/clients.ts'
import {
  professionalStatusForClient,
  type ProfessionalAnswers,
  type ProfessionalState,
} from '#rules/professional-status.ts'
import type { ClientId, ProfessionalId } from '#rules/ids.ts'
import { row, sql, type Connection, type Transaction, requireRow } from '../../db/sql.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { recordsNamed } from '../../office/lists.ts'
import { queue } from '../../office/listing.ts'
import { reasonText } from '../../i18n/format.ts'
import type { Requester } from '../clients/queries.ts'

export interface Application {
  id: ProfessionalId
  clientId: ClientId
  answers: ProfessionalAnswers & { readonly step?: number; readonly subStep?: number }
  state: ProfessionalState
  reason: string | null
  accounts: string[]
  decidedBy: string | null
  submittedAt: Date
  decidedAt: Date | null
  version: number
}

export const applicationColumns = sql`p.id, p.client_id as "clientId", p.answers, p.state, p.reason, p.accounts,
  p.decided_by as "decidedBy", p.submitted_at as "submittedAt", p.decided_at as "decidedAt", p.version`

/** The listing of applications for staff. */
export const professionalListing = queue(listProfessional, {
  name: 'professional',
  tables: sql`professional_applications p join clients c on c.id = p.client_id`,
  alias: 'p',
  sorts: { createdAt: { by: 'p.submitted_at', type: 'timestamptz' } },
  waiting: ['pending', 'more_asked'],
  finds: (words) => recordsNamed(words, { table: 'professional_applications', id: 'p.id' }),
})

/** Returns the client's newest application, or null. */
export async function newestApplication(connection: Connection, clientId: SignedInClientId) {
  return row<Application>(connection)`
    select ${applicationColumns} from professional_applications p where p.client_id = ${clientId} order by p.id desc limit 1`
}

type Applicant = Pick<Requester, 'id' | 'email' | 'language' | 'clientStatus' | 'name' | 'surname'> & {
  readonly state: ClientState
}

/** Returns the client, locked so that of concurrent submissions, decisions and closures each sees the others. */
export async function lockApplicant(tx: Transaction, clientId: ClientId): Promise<Applicant> {
  return requireRow<Applicant>(tx)`
    select id, email::text as email, language, client_status as "clientStatus", name, surname, state from clients
      where id = ${clientId} for no key update`
}

/** Returns an application for staff, or null. */
export async function applicationById(connection: Connection, id: ProfessionalId): Promise<Application | null> {
  return row<Application>(connection)`
    select ${applicationColumns} from professional_applications p where p.id = ${uuidOrNull(id)}::uuid`
}

const lastStep = 6

/** Returns an application as the portal's wizard shows it. */
export function applicationResponse(application: Application, language: Language) {
  const { id, answers, state, submittedAt, decidedAt } = application
  const reason = reasonText(application.reason, language)
  const { step, subStep, ...questions } = answers
  return {
    id,
    status: professionalStatusForClient(state),
    ended: state === 'reversed',
    moreAsked: state === 'more_asked' ? reason : null,
    reason: state === 'rejected' || state === 'reversed' ? reason : null,
    submittedAt,
    decidedAt,
    ...questions,
    step: step ?? lastStep,
    subStep: subStep ?? 1,
  }
}
