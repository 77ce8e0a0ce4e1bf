/**
 * The names of requirements 15.1 and 15.2 in the published document: inputs and outputs of each endpoint have the
 * specified names.
 */
import { expect, test } from 'vitest'
import { portalEndpoints } from './endpoints.ts'
import { openApiDocument } from './openapi.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly additionalProperties?: Schema
}

const { paths } = openApiDocument(portalEndpoints, { title: 'Test' })

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

function operationAt(call: string) {
  const [method = '', path = ''] = call.split(' ')
  const operation = paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`the document has no ${call}`)
  return operation
}

function requestSchema(call: string): Schema {
  return schemaOf((operationAt(call)['requestBody'] ?? {}) as Content)
}

function responseSchema(call: string): Schema {
  const responses = operationAt(call)['responses'] as Readonly<Record<string, Content>>
  return schemaOf(responses['200'] ?? responses['201'] ?? {})
}

function schemaOf({ content = {} }: Content): Schema {
  return Object.values(content)[0]?.schema ?? {}
}

/** Returns the names of all fields of a schema, including those of nested lists, records and alternatives. */
function namesIn({ properties = {}, items, anyOf = [], oneOf = [], additionalProperties }: Schema): string[] {
  const below = [...Object.values(properties), ...anyOf, ...oneOf]
  if (items) below.push(items)
  if (typeof additionalProperties === 'object') below.push(additionalProperties)
  return [...Object.keys(properties), ...below.flatMap(namesIn)]
}

const user =
  'id email name surname title birthDay birthMonth birthYear mobilePhone addressNo address city postcode county country nationality status registered continueRegistration clientStatus acceptedDeclaration gcenApiKYCPass gcenApiClientId gcenApiDocsSubmitted socialId'
const employment = 'fundSource industry position annualSalary savings experience'
const experience = 'experience requiredMargin closingOrderType leverage reactionToLoss'
const account =
  '_id nickname number platform type baseCurrency leverage balance status clientStatus password passwordToShow'
const numbers = 'bankIBAN bankSwift bankSortCode bankAccountNumber'
const bank = `userId bankName bankAddress bankCountry bankAccountCurrency bankPOA ${numbers}`
const document =
  'country documentNumber expiryDay expiryMonth expiryYear documentFront documentBack statusFront statusBack uploaded status documentFrontUrl documentBackUrl'
const decided = 'status comment timestamp timeApproved timeRejected'
const history = `accountNumber depositType depositAmountSent depositCurrency withdrawalType withdrawalAmount withdrawalCurrency sourceAccount destinationAccount transferAmount transferCurrency ${decided}`
const wire = 'AccountHolder BankAccountNumber SpecialId IBAN SwiftCode BankName BankReference'
const method = 'id method image time fees text type paymentGateway'
const deposit = 'accountPlatform accountNumber depositCurrency depositAmountSent paymentGatewayService depositType'
const questions = 'question01 question02 question03 question04 question05 question06 question07 question08 step subStep'

test.each([
  ['POST /api/users/login', 'email password', 'success token secondFactor ticket'],
  ['GET /email/confirm/{id}', '', 'success autologin token msg'],
  ['POST /api/users/resetPassword', 'email', 'success'],
  ['POST /api/users/newPassword', 'id password', 'success'],
  [
    'POST /api/users/profile',
    'email',
    `success user employmentIncome tradingExperience ${user} ${employment} ${experience} pending field to since`,
  ],
  [
    'POST /api/users/editUser',
    'title name surname birthDay birthMonth birthYear mobilePhone addressNo address city postcode county country nationality',
    'success pending',
  ],
  ['POST /api/users/updateEmploymentIncome', employment, 'success'],
  ['POST /api/users/updateTradingExperience', experience, 'success'],
  ['POST /api/users/checkClientsProfessionalStatus', '', 'success disabledProfessionalClientApplication'],
  ['POST /api/users/submitClientsProfessionalApplication', `form ${questions}`, 'success'],
  ['POST /api/users/getProfessionalClientsApplication', '', `success application ${questions}`],
  [
    'POST /api/users/registerWeb',
    `step subStep acceptTerms acceptPrivacy securityQuestion securityAnswer mobilePhone ${employment} baseCurrency platform accType accepted version`,
    'success data step subStep token completed',
  ],
  ['POST /api/users/checkUserRegister', '', 'success data step subStep completed answers confirmed'],
  ['POST /api/users/acceptDeclarations', 'version', 'success'],
  ['GET /api/users/getDocuments/{id}', '', `success documents ${document}`],
  [
    'POST /api/users/saveDocuments',
    'documentType data country documentNumber expiryDay expiryMonth expiryYear documentFront documentBack',
    'success',
  ],
  ['POST /api/gcen/documentsApproval', '', 'success'],
  ['GET /api/accounts/getLiveAccounts/{a}/{b}', '', `success accounts ${account}`],
  ['GET /api/accounts/getDemoAccounts', '', `success accounts ${account}`],
  ['GET /api/accounts/getBankDetails/{a}/{b}', '', `success bankDetails _id ${bank} bankPOAUrl status timestamp`],
  ['POST /api/accounts/addBankDetails', `bankData ${bank}`, 'success'],
  ['POST /api/accounts/updateBankDetails', `bankData _id ${bank}`, 'success'],
  [
    'POST /api/accounts/requestAnAccount',
    'userId requestType platform accType baseCurrency leverage balance',
    'success',
  ],
  ['POST /api/accounts/updateAccount', 'accountId leverage', 'success'],
  ['GET /api/accounts/getTransferHistory', '', `success deposits withdrawals transfers next id ${history}`],
  ['POST /api/gcen/requestWirePayment', deposit, `success bankDetails ${wire}`],
  ['POST /api/gcen/requestCreditCardPayment', `${deposit} ccType method`, 'success paymentUrl REF'],
  ['POST /api/gcen/checkCreditCardPayment', 'REF', 'success status'],
  [
    'POST /api/accounts/requestWithdrawal',
    'accountPlatform accountNumber paymentGatewayService withdrawalType withdrawalPaymentName withdrawalCurrency withdrawalAmount bankId',
    'success',
  ],
  [
    'POST /api/accounts/requestTransfer',
    'sourceAccountPlatform sourceAccount destinationAccountPlatform destinationAccount transferCurrency transferAmount',
    'success',
  ],
  ['POST /upload', 'file', 'success filename url'],
  [
    'GET /api/settings',
    '',
    `success firm name logoUrl brandColour supportEmail languages notice title lines dates disabledProfessionalClientApplication windDown deposits newAccounts leverage limits depositMin withdrawalMin transferMin securityQuestions id text legalTexts depositMethods withdrawalMethods ${method}`,
  ],
  ['GET /api/countries', '', 'success countries code name prefix available accepts'],
  ['GET /api/users/current', '', `success user token ${user}`],
  ['GET /api/users/passwordKey', '', 'success key kty n e kid'],
  ['POST /api/users/loginSecondFactor', 'ticket code', 'success token'],
  ['POST /api/users/changePassword', 'currentPassword password', 'success token'],
  ['POST /api/users/secondFactor/start', 'password', 'success secret uri'],
  ['POST /api/users/secondFactor/confirm', 'code', 'success recoveryCodes'],
  ['POST /api/users/secondFactor/disable', 'password code', 'success'],
  ['GET /api/users/sessions', '', 'success sessions id device address createdAt lastSeenAt current'],
  ['POST /api/users/endSession', 'sessionId', 'success'],
  ['POST /api/accounts/setNickname', 'accountId nickname', 'success'],
  ['POST /api/accounts/changeTradingPassword', 'accountId password', 'success'],
  ['POST /api/accounts/revealPassword', 'accountId', 'success password'],
  ['POST /api/accounts/cancelWithdrawal', 'id', 'success'],
  ['POST /api/accounts/cancelDeposit', 'id', 'success'],
  ['POST /api/accounts/cancelTransfer', 'id', 'success'],
  ['POST /api/accounts/mailWireDetails', 'id', 'success'],
  [
    'POST /api/accounts/quoteTransfer',
    'sourceAccount destinationAccount transferAmount',
    'success rate arrives currency until',
  ],
  ['POST /api/files/link', 'filename', 'success filename url'],
  ['GET /api/notices', '', 'success notices id kind text at read link'],
  ['POST /api/notices/read', 'ids all', 'success'],
])('%s accepts and returns the specified fields', (call, takes, answers) => {
  const words = (text: string) => text.split(' ').filter((word) => word !== '')
  expect(namesIn(requestSchema(call))).toEqual(expect.arrayContaining(words(takes)))
  expect(namesIn(responseSchema(call))).toEqual(expect.arrayContaining(words(answers)))
})
