/** The lists and numbers of requirements 17, word for word, as they occur in requests and responses. */
import { expect, test } from 'vitest'
import {
  annualSalaries,
  closingOrderTypes,
  fundSources,
  industries,
  leverageAnswers,
  positions,
  reactionsToLoss,
  requiredMargins,
  savings,
  titles,
  tradeCounts,
} from './choices.ts'
import {
  accountTypes,
  birthYearsBack,
  cardExpiryYearsAhead,
  cardTypes,
  countyLengthMax,
  declarationNoticeShownMs,
  demoBalances,
  depositMinMinor,
  historyPageSizes,
  noticeShownMs,
  passwordLengthMin,
  platforms,
  processingHoursMax,
  professionalLeverages,
  professionalTextLengthMin,
  professionalWizardSteps,
  proofOfAddressMonthsMax,
  retailLeverage,
  transferMinMinor,
  withdrawalMinMinor,
} from './constants.ts'
import { currencies } from './money.ts'

test.each<[string, readonly (string | number)[], string]>([
  ['titles', titles, 'Mr., Mrs., Miss, Dr.'],
  ['fundSource', fundSources, 'Employment, Inheritance, Savings and investment, Other'],
  ['industry', industries, 'Accounting, Banking, Finance, Business consultancy, Insurance, Other'],
  ['position', positions, 'Director, Manager, Entry level, Other'],
  ['requiredMargin', requiredMargins, '0.10, 0.20, 0.30'],
  ['closingOrderType', closingOrderTypes, 'Hedge, Partial, Stop loss'],
  ['leverage question', leverageAnswers, 'Option 1, Option 2, Option 3'],
  ['reactionToLoss', reactionsToLoss, 'Beginner, Intermediate, Advanced'],
  ['trades per quarter', tradeCounts, '0-9, 10-19, 20-29, 30+'],
  ['demo balances', demoBalances, '200, 500, 1000, 5000, 10000, 25000, 50000'],
  ['platforms', platforms, 'MT4, MT5'],
  ['account types', accountTypes, 'Standard, ECN'],
  ['currencies', currencies, 'EUR, GBP, USD'],
  ['professional leverage', professionalLeverages, '30, 50, 100, 200, 300, 400, 500'],
  ['history page sizes', historyPageSizes, '10, 20'],
])('the values of %s match the requirements in wording and order', (_, list, words) => {
  expect(list.join(', ')).toBe(words)
})

const upperBands = ['over 450,000', '200,000-499,999', '90,000-199,999', '50,000-89,999']

test('the bands of salary and savings match the requirements word for word, although they overlap', () => {
  expect(annualSalaries).toEqual([...upperBands, '15,000-49,999', 'under 15,000'])
  expect(savings).toEqual([...upperBands, '10,000-49,999', 'under 10,000'])
})

test('card types have the provider’s codes', () => {
  expect(Object.fromEntries(cardTypes.map(({ code, name }) => [code, name]))).toEqual({
    1: 'Visa credit, Maestro, Visa Electron',
    3: 'MasterCard credit',
    114: 'Visa debit',
    119: 'MasterCard debit',
  })
})

test('limits and durations match the requirements', () => {
  expect({ passwordLengthMin, countyLengthMax, professionalTextLengthMin, professionalWizardSteps }).toEqual({
    passwordLengthMin: 6,
    countyLengthMax: 30,
    professionalTextLengthMin: 2,
    professionalWizardSteps: 6,
  })
  expect({ retailLeverage, proofOfAddressMonthsMax, processingHoursMax, birthYearsBack, cardExpiryYearsAhead }).toEqual(
    {
      retailLeverage: 30,
      proofOfAddressMonthsMax: 3,
      processingHoursMax: 48,
      birthYearsBack: 100,
      cardExpiryYearsAhead: 50,
    },
  )
  expect([depositMinMinor, withdrawalMinMinor, transferMinMinor]).toEqual([10_00n, 1_00n, 5_00n])
  expect([noticeShownMs, declarationNoticeShownMs]).toEqual([5000, 3000])
})
