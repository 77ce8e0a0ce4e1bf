/** Registration, documents and approval of the demo's clients. */
import { confirmEmail } from '#contract/users-session.ts'
import { documentsApproval, saveDocuments } from '#contract/documents.ts'
import { acceptDeclarations } from '#contract/declarations.ts'
import { approveClient, rejectClient } from '#contract/office/client-decisions.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { approveDocument, getDocumentCase } from '#contract/office/documents.ts'
import { approveAccount, listAccountRequests } from '#contract/office/account-requests.ts'
import { registerWeb } from '#contract/registration.ts'
import { demoPassword, personas, type Persona, type PersonaKey } from './personas.ts'
import { letterImage, passportImage, type Bearer } from './pictures.ts'
import type { SeedContext } from './context.ts'
import type { Team } from './staff.ts'
import { logIn } from './log-in.ts'

export interface SeededClient {
  readonly id: string
  readonly person: Persona
}

/** The first clients, and how many days before now they registered: what some do at once needs less time. */
const firstClients: readonly (readonly [daysAgo: number, people: readonly PersonaKey[]])[] = [
  [62, ['clara', 'jonas', 'thomas']],
  [47, ['hannah', 'piotr', 'marek']],
  [29, ['sofia', 'lea']],
]

/** Registers and approves the first clients. */
export async function seedOnboarding(context: SeedContext, team: Team): Promise<Map<PersonaKey, SeededClient>> {
  const clients = new Map<PersonaKey, SeededClient>()
  for (const [daysAgo, people] of firstClients) {
    const sent = await registerWithDocuments(context, people, daysAgo)
    const registered = sent.map(([, client]) => client)
    await context.at(daysAgo - 1, '09:30')
    await approveDocuments(context, team, registered)
    await approveClients(context, team, registered)
    for (const [key, client] of sent) clients.set(key, client)
  }
  return clients
}

/** Plays two recent clients who are pending for compliance: one for the last approval, one for the documents. */
export async function seedLatecomers(context: SeedContext, team: Team, daysAgo: number): Promise<void> {
  const sent = await registerWithDocuments(context, ['ines', 'amira'], daysAgo)
  await context.at(daysAgo - 0.5, '15:30')
  await approveDocuments(
    context,
    team,
    sent.filter(([key]) => key === 'ines').map(([, client]) => client),
  )
}

/** A client who is rejected and then requests erasure. */
export async function seedRejectedClient(context: SeedContext, team: Team, daysAgo: number): Promise<SeededClient> {
  await context.at(daysAgo, '08:12')
  const person = personas.pieter
  const { id } = await sendRegistrationSteps(context, await confirmAddress(context, person), person)
  await context.at(daysAgo, '14:20')
  const as = await team.token('compliance')
  const { client } = await context.call(getOfficeClient, { as, params: { id } })
  const reason =
    'You told us that you want to trade for someone else. We open accounts only for clients who trade with their own money.'
  await context.call(rejectClient, { as, params: { id }, body: { version: client.version, reason } })
  return { id, person }
}

/** Registers people at the same time, who upload documents. */
async function registerWithDocuments(context: SeedContext, people: readonly PersonaKey[], daysAgo: number) {
  await context.at(daysAgo, '08:12')
  return Promise.all(people.map(async (key) => [key, await register(context, personas[key])] as const))
}

async function register(context: SeedContext, person: Persona): Promise<SeededClient> {
  const [{ id, token }, papers] = await Promise.all([
    confirmAddress(context, person).then((confirmed) => sendRegistrationSteps(context, confirmed, person)),
    createDocuments(context, person),
  ])
  await sendDocuments(context, token, person, papers)
  return { id, person }
}

/** Begins a registration and follows the mail's link; returns the token. */
async function confirmAddress(context: SeedContext, person: Persona): Promise<string> {
  const names = { title: person.title, name: person.name, surname: person.surname }
  const texts = { acceptTerms: true, acceptPrivacy: true, termsVersion: 1, privacyVersion: 1 } as const
  const begun = await sendRegistrationStep(context, undefined, '1.1', {
    ...names,
    email: person.email,
    password: demoPassword,
    country: person.country,
    ...texts,
  })
  await sendRegistrationStep(context, begun.data.token, '1.2', {
    securityQuestion: 'birth-town',
    securityAnswer: person.city,
  })
  const link = /\/email\/confirm\/(\S+)/.exec(await context.mailTo(person.email))?.[1]
  if (!link) throw new Error(`The email to ${person.email} contains no link.`)
  const confirmed = await context.call(confirmEmail, { params: { '*': link } })
  if (!confirmed.token) throw new Error(`${person.email} was not logged in by the link.`)
  return confirmed.token
}

function sendRegistrationStep(context: SeedContext, as: string | undefined, number: string, answers: object) {
  const [step = 1, subStep = 1] = number.split('.').map(Number)
  return context.call(registerWeb, { ...(as ? { as } : {}), body: { step, subStep, ...answers } })
}

/** Does the substeps that follow the mail's link. */
async function sendRegistrationSteps(
  context: SeedContext,
  confirmed: string,
  person: Persona,
): Promise<{ id: string; token: string }> {
  const [birthDay, birthMonth, birthYear] = person.born
  let token = confirmed
  const later: [string, object][] = [
    ['1.3', {}],
    ['2.1', { mobilePhone: person.phone }],
    ['2.2', { birthDay, birthMonth, birthYear }],
    [
      '2.3',
      {
        addressNo: person.street,
        city: person.city,
        postcode: person.postcode,
        country: person.country,
      },
    ],
    ['2.4', { nationality: person.country }],
    ['2.5', { industry: 'Finance', position: 'Manager', fundSource: 'Employment' }],
    ['2.6', { annualSalary: '50,000-89,999', savings: '50,000-89,999', experience: '1 to 5 years' }],
    [
      '3.1',
      {
        experience: 'yes',
        requiredMargin: '0.10',
        closingOrderType: 'Stop loss',
        leverage: 'Option 2',
        reactionToLoss: 'Intermediate',
      },
    ],
    ['4.1', { baseCurrency: person.currency }],
    ['4.2', { platform: person.platform }],
    ['4.3', { accType: person.accType, leverage: 30 }],
    ['5.1', { accepted: true, version: 1 }],
    ['5.2', { accepted: true, version: 1 }],
    ['5.3', { accepted: true, version: 1 }],
  ]
  for (const [number, answers] of later)
    token = (await sendRegistrationStep(context, token, number, answers)).data.token ?? token
  const { id } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { id: string }
  return { id, token }
}

interface ClientDocuments {
  readonly passport: Buffer
  readonly bill: Buffer
  /** The date of the bill. */
  readonly issued: Date
}

async function createDocuments(context: SeedContext, person: Persona): Promise<ClientDocuments> {
  const bearer = bearerOf(person)
  const issued = new Date(context.now().getTime() - 20 * 86_400_000)
  const [passport, bill] = await Promise.all([
    passportImage(bearer),
    letterImage('Utility bill', bearer, issued.toISOString().slice(0, 10)),
  ])
  return { passport, bill, issued }
}

async function sendDocuments(
  context: SeedContext,
  token: string,
  person: Persona,
  { passport, bill, issued }: ClientDocuments,
) {
  const sendPassport = async () => {
    const documentFront = await context.upload(token, passport, 'passport.jpg', 'image/jpeg')
    const number = { country: person.country, documentNumber: person.passport }
    const data = { ...number, expiryDay: 22, expiryMonth: 9, expiryYear: 2029, documentFront }
    await context.call(saveDocuments, { as: token, body: { documentType: 'passport', data } })
  }
  const [documentFront] = await Promise.all([
    context.upload(token, bill, 'utility-bill.jpg', 'image/jpeg'),
    sendPassport(),
  ])
  await context.call(saveDocuments, {
    as: token,
    body: {
      documentType: 'utility_bill',
      data: {
        country: person.country,
        documentNumber: `2026-${person.passport.slice(-5)}`,
        expiryDay: issued.getUTCDate(),
        expiryMonth: issued.getUTCMonth() + 1,
        expiryYear: issued.getUTCFullYear(),
        documentFront,
      },
    },
  })
  await context.call(documentsApproval, { as: token })
}

/** Returns a document's data about its bearer. */
export function bearerOf(person: Persona): Bearer {
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    name: person.name,
    surname: person.surname,
    born: `${two(person.born[0])}.${two(person.born[1])}.${person.born[2]}`,
    nationality: person.country,
    number: person.passport,
    expires: '22.09.2029',
    address: `${person.street}, ${person.postcode} ${person.city}`,
  }
}

async function approveDocuments(context: SeedContext, team: Team, clients: readonly SeededClient[]): Promise<void> {
  const as = await team.token('compliance')
  await Promise.all(
    clients.map(async ({ id }) => {
      const shown = await context.call(getDocumentCase, { as, params: { id } })
      for (const document of shown.case.documents) {
        await context.call(approveDocument, { as, params: { id: document.id }, body: { version: document.version } })
      }
    }),
  )
}

/** Compliance approves clients, operations open the accounts of their registrations, they accept the declaration. */
async function approveClients(context: SeedContext, team: Team, clients: readonly SeededClient[]): Promise<void> {
  const compliance = await team.token('compliance')
  await Promise.all(
    clients.map(async ({ id }) => {
      const { client } = await context.call(getOfficeClient, { as: compliance, params: { id } })
      await context.call(approveClient, { as: compliance, params: { id }, body: { version: client.version } })
    }),
  )
  const operations = await team.token('operations')
  const { rows } = await context.call(listAccountRequests, { as: operations, query: { state: 'pending' } })
  // In their order, in which the platforms then number the accounts.
  for (const { id: clientId } of clients)
    for (const { id, version } of rows.filter(({ client }) => client.id === clientId))
      await context.call(approveAccount, { as: operations, params: { id }, body: { version } })
  await context.settle()
  await Promise.all(
    clients.map(async ({ person }) =>
      context.call(acceptDeclarations, { as: await logIn(context, person), body: { version: 1 } }),
    ),
  )
}
