/** The registration's answers, step by step, and its completion over HTTP. */
import { randomUUID } from 'node:crypto'
import { checkUserRegister, registerWeb } from '#contract/registration.ts'
import { confirmEmail } from '#contract/users-session.ts'
import { registrationSteps, type RegistrationStep } from '#rules/registration.ts'
import { call, goodPassword, type TestServer } from './factories.ts'
import { oneTimeIdIn } from './mails.ts'

/** Returns an unused address. */
export function newEmail(): string {
  return `person-${randomUUID().slice(0, 12)}@example.com`
}

/** Returns valid answers of every step. */
export function stepAnswers(email: string): Record<RegistrationStep, Record<string, unknown>> {
  return {
    '1.1': {
      title: 'Mrs.',
      name: 'Ines',
      surname: 'Almeida',
      email,
      password: goodPassword,
      country: 'DE',
      acceptTerms: true,
      acceptPrivacy: true,
      termsVersion: 1,
      privacyVersion: 1,
    },
    '1.2': { securityQuestion: 'first-pet', securityAnswer: ' Bella  the Cat' },
    '1.3': {},
    '2.1': { mobilePhone: '+49 30 901820' },
    '2.2': { birthDay: 12, birthMonth: 3, birthYear: 1984 },
    '2.3': { addressNo: 'Torstraße 12', address: '', city: 'Berlin', postcode: '10119', county: '', country: 'DE' },
    '2.4': { nationality: 'PT' },
    '2.5': { industry: 'Banking', position: 'Manager', fundSource: 'Employment' },
    '2.6': { annualSalary: '50,000-89,999', savings: '10,000-49,999', experience: '1 to 5 years' },
    '3.1': {
      experience: 'yes',
      requiredMargin: '0.10',
      closingOrderType: 'Hedge',
      leverage: 'Option 1',
      reactionToLoss: 'Intermediate',
    },
    '4.1': { baseCurrency: 'EUR' },
    '4.2': { platform: 'MT5' },
    '4.3': { accType: 'Standard', leverage: 30 },
    '5.1': { accepted: true, version: 1 },
    '5.2': { accepted: true, version: 1 },
    '5.3': { accepted: true, version: 1 },
  }
}

/** Sends one step. */
export function sendStep(server: TestServer, name: RegistrationStep, answers: object, token?: string, from?: string) {
  const body = { step: Number(name[0]), subStep: Number(name[2]), ...answers }
  return call(server, registerWeb, {
    body,
    ...(token === undefined ? {} : { as: token }),
    ...(from === undefined ? {} : { from }),
  })
}

/** Registers up to 1.3 and returns the registration's token. */
export async function registerUnconfirmed(server: TestServer, email: string, changes: object = {}): Promise<string> {
  const answers = stepAnswers(email)
  const { data } = (
    await sendStep(server, '1.1', { ...answers['1.1'], ...changes }, undefined, randomLoopbackAddress())
  ).answer
  const token = data.token ?? ''
  const second = await sendStep(server, '1.2', answers['1.2'], token)
  if (second.status !== 200) throw new Error(JSON.stringify(second.json))
  return token
}

/** Registers and confirms; returns the client's token. */
export async function registerAndConfirm(server: TestServer, email: string, changes: object = {}): Promise<string> {
  await registerUnconfirmed(server, email, changes)
  const id = await oneTimeIdIn(server, email, 'confirm-email')
  const { token } = (await call(server, confirmEmail, { params: { '*': id } })).answer
  return token ?? ''
}

/** Completes the registration from 1.3 and returns the last token. */
export async function finishRegistration(server: TestServer, email: string, token: string): Promise<string> {
  const answers = stepAnswers(email)
  let bearer = token
  for (const name of registrationSteps.slice(2)) {
    const { data } = (await sendStep(server, name, answers[name], bearer)).answer
    bearer = data.token ?? bearer
  }
  return bearer
}

/** Returns the current step of a registration. */
export async function registrationStep(server: TestServer, token: string) {
  return (await call(server, checkUserRegister, { as: token })).answer.data
}

/** Returns any address of this machine, so that tests do not share limits. */
export function randomLoopbackAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 250)
  return `127.${part()}.${part()}.${part()}`
}
