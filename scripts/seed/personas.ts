/** The people of the demo, as in the design's pictures. All are invented. */
import type { StaffRole } from '#rules/actors.ts'
import type { Title } from '#rules/choices.ts'

export const demoPassword = 'Calder-Row-demo-1'

export interface Colleague {
  readonly name: string
  readonly email: string
  readonly role: StaffRole
}

/** The operator's command creates the first administrator; the others are invited. */
export const colleagues = {
  admin: { name: 'Ruth Calder', email: 'ruth.calder@calder-row.example', role: 'administrator' },
  secondAdmin: { name: 'Paul Okafor', email: 'paul.okafor@calder-row.example', role: 'administrator' },
  compliance: { name: 'Ines Albrecht', email: 'ines.albrecht@calder-row.example', role: 'compliance' },
  operations: { name: 'Tom Reyes', email: 'tom.reyes@calder-row.example', role: 'operations' },
  finance: { name: 'Johanna Meier', email: 'johanna.meier@calder-row.example', role: 'finance' },
  auditor: { name: 'Greta Lund', email: 'greta.lund@calder-row.example', role: 'auditor' },
} as const satisfies Record<string, Colleague>
export type ColleagueKey = keyof typeof colleagues

export interface Persona {
  readonly title: Title
  readonly name: string
  readonly surname: string
  readonly email: string
  readonly country: string
  readonly born: readonly [day: number, month: number, year: number]
  readonly phone: string
  readonly street: string
  readonly postcode: string
  readonly city: string
  readonly passport: string
  readonly currency: 'EUR' | 'GBP' | 'USD'
  readonly platform: 'MT4' | 'MT5'
  readonly accType: 'Standard' | 'ECN'
  /** The payer's account of bank transfers; the numbers are the banks' own examples. */
  readonly payerAccount: string
  readonly language?: 'de'
}

export const personas = {
  clara: {
    title: 'Mrs.',
    name: 'Clara Elisabeth',
    surname: 'Weidmann',
    email: 'clara.weidmann@example.com',
    country: 'DE',
    born: [14, 3, 1986],
    phone: '+493012345678',
    street: 'Lindenallee 48, 3. OG',
    postcode: '10437',
    city: 'Berlin',
    passport: 'C01X00T47',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'Standard',
    payerAccount: 'DE02120300000000202051',
    language: 'de',
  },
  jonas: {
    title: 'Mr.',
    name: 'Jonas',
    surname: 'Lindqvist',
    email: 'jonas.lindqvist@example.com',
    country: 'SE',
    born: [2, 11, 1979],
    phone: '+46812345678',
    street: 'Götgatan 14',
    postcode: '116 46',
    city: 'Stockholm',
    passport: 'SE5520418',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'ECN',
    payerAccount: 'SE4550000000058398257466',
  },
  thomas: {
    title: 'Mr.',
    name: 'Thomas',
    surname: 'O’Rourke',
    email: 'thomas.orourke@example.com',
    country: 'GB',
    born: [23, 6, 1971],
    phone: '+442079460018',
    street: '7 Harbour Row',
    postcode: 'BS1 4SA',
    city: 'Bristol',
    passport: '533380006',
    currency: 'GBP',
    platform: 'MT5',
    accType: 'Standard',
    payerAccount: 'GB33BUKB20201555555555',
  },
  hannah: {
    title: 'Miss',
    name: 'Hannah',
    surname: 'Fitzgerald',
    email: 'hannah.fitzgerald@example.com',
    country: 'IE',
    born: [30, 9, 1990],
    phone: '+35315550123',
    street: '21 Quay Street',
    postcode: 'D02 X285',
    city: 'Dublin',
    passport: 'PB1234567',
    currency: 'GBP',
    platform: 'MT5',
    accType: 'Standard',
    payerAccount: 'IE29AIBK93115212345678',
  },
  piotr: {
    title: 'Mr.',
    name: 'Piotr',
    surname: 'Zieliński',
    email: 'piotr.zielinski@example.com',
    country: 'PL',
    born: [8, 1, 1983],
    phone: '+48221234567',
    street: 'ul. Długa 9',
    postcode: '00-263',
    city: 'Warszawa',
    passport: 'EH8412093',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'ECN',
    payerAccount: 'PL61109010140000071219812874',
  },
  sofia: {
    title: 'Mrs.',
    name: 'Sofia',
    surname: 'Marchetti',
    email: 'sofia.marchetti@example.com',
    country: 'IT',
    born: [17, 12, 1992],
    phone: '+390612345678',
    street: 'Via Roma 31',
    postcode: '00184',
    city: 'Roma',
    passport: 'YB7712345',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'Standard',
    payerAccount: 'IT60X0542811101000000123456',
  },
  lea: {
    title: 'Mrs.',
    name: 'Lea',
    surname: 'Baumgartner-Schönfeld',
    email: 'lea.baumgartner@example.com',
    country: 'AT',
    born: [5, 5, 1988],
    phone: '+4315551234',
    street: 'Neubaugasse 40',
    postcode: '1070',
    city: 'Wien',
    passport: 'P4417392',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'Standard',
    payerAccount: 'AT611904300234573201',
    language: 'de',
  },
  marek: {
    title: 'Mr.',
    name: 'Marek',
    surname: 'Novák',
    email: 'marek.novak@example.com',
    country: 'CZ',
    born: [19, 4, 1976],
    phone: '+420221234567',
    street: 'Vinohradská 112',
    postcode: '130 00',
    city: 'Praha',
    passport: '39904123',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'ECN',
    payerAccount: 'CZ6508000000192000145399',
  },
  ines: {
    title: 'Dr.',
    name: 'Ines',
    surname: 'Cardoso',
    email: 'ines.cardoso@example.com',
    country: 'PT',
    born: [28, 2, 1981],
    phone: '+351213456789',
    street: 'Rua Augusta 77',
    postcode: '1100-048',
    city: 'Lisboa',
    passport: 'CA112233',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'Standard',
    payerAccount: 'PT50000201231234567890154',
  },
  amira: {
    title: 'Mrs.',
    name: 'Amira',
    surname: 'Haddad',
    email: 'amira.haddad@example.com',
    country: 'DE',
    born: [11, 7, 1994],
    phone: '+4940123456',
    street: 'Schanzenstraße 3',
    postcode: '20357',
    city: 'Hamburg',
    passport: 'C4KHR8811',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'Standard',
    payerAccount: 'DE89370400440532013000',
  },
  pieter: {
    title: 'Mr.',
    name: 'Pieter',
    surname: 'van Damme',
    email: 'pieter.vandamme@example.com',
    country: 'NL',
    born: [21, 10, 1968],
    phone: '+31205550147',
    street: 'Kloosterstraat 62',
    postcode: '1021 AB',
    city: 'Amsterdam',
    passport: 'NW4471203',
    currency: 'EUR',
    platform: 'MT5',
    accType: 'Standard',
    payerAccount: 'NL91ABNA0417164300',
  },
} as const satisfies Record<string, Persona>
export type PersonaKey = keyof typeof personas
