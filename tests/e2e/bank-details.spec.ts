/** Bank details: validated during input, added with a statement, changed while pending (requirements 12). */
import { rejectBankDetails } from '#contract/office/bank-details.ts'
import { makePdf } from '../files.ts'
import { makeApprovedBank } from '../funded-account.ts'
import { call, makeStaff } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseFile, press, tabTo, type } from './keyboard.ts'
import { confirmIdentity } from './step-up.ts'
import { chooseInComboBox as chooseCountry } from './registration.ts'
import { runningProduct } from './running.ts'
import { createBankRequest } from './pending-reviews.ts'
import { newClient } from './pending-requests.ts'
import { openPageAsStaff } from './staff.ts'
import { openAsClient, chooseRadioTile } from './wizards.ts'

test('the prompt opens New Bank Details, which validates the input; the pending account can be changed, using only the keyboard', async ({
  page,
}) => {
  const client = await newClient()
  await openAsClient(page, client, '/trading-accounts')
  const prompt = page.getByRole('dialog', { name: 'Submit Bank Details' })
  await expect(prompt).toBeVisible()
  await expectAccessible(page)
  await press(page, prompt.getByRole('link', { name: 'ADD NOW' }))
  const dialog = page.getByRole('dialog', { name: 'New Bank Details' })
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  const submit = dialog.getByRole('button', { name: 'Submit' })
  const write = (field: string, text: string) => type(page, dialog.getByLabel(field, { exact: true }), text)
  const expectFieldError = (field: string, sentence: string) =>
    expect(dialog.getByLabel(field, { exact: true })).toHaveAccessibleDescription(new RegExp(sentence))

  await test.step('missing fields are reported once at the top and at each field', async () => {
    await expect(dialog.getByLabel('Bank name', { exact: true })).toBeVisible()
    // Both lists have their headings, and the empty state is shown once.
    for (const name of ['Approved Bank Accounts', 'Pending Bank Accounts'])
      await expect(page.locator('h2', { hasText: name })).toBeAttached()
    await expect(page.getByText('No bank accounts yet')).toBeAttached()
    await expect(page.getByText('No approved bank accounts yet.')).toHaveCount(0)
    await press(page, submit)
    await expect(dialog.getByText('You must fill all mandatory fields.')).toBeVisible()
    await expectFieldError('Bank name', 'This field is required.')
    await expect(dialog.getByLabel('Bank name')).toBeFocused()
    await expectAccessible(page)
  })

  await test.step('IBAN and SWIFT/BIC are validated as they are typed', async () => {
    await write('Bank name', 'Example Bank AG')
    await write('Bank address', 'Marktplatz 1, Berlin')
    await chooseRadioTile(page, 'EUR')
    await write('IBAN', 'DE02 1203 0000 0000 2020 52')
    await write('SWIFT/BIC', 'BYLADEM')
    await expectFieldError('IBAN', 'This IBAN is not valid. Check that you entered it correctly.')
    await write('IBAN', 'NL91 ABNA 0417 1643 00')
    await expectFieldError('SWIFT/BIC', 'A SWIFT/BIC has 8 or 11 characters, such as DEUTDEFF.')
    await expectFieldError(
      'IBAN',
      'The IBAN and the country of the bank do not match. Check both. If they are correct, confirm them.',
    )
    const confirmation = dialog.getByRole('checkbox', { name: /are both correct/ })
    await confirmation.check()
    await expect(dialog.getByText('IBAN: valid format.')).toBeAttached()
    await confirmation.uncheck()
    await write('IBAN', 'DE02 1203 0000 0000 2020 51')
    await expect(dialog.getByText('IBAN: valid format.')).toBeAttached()
    await write('SWIFT/BIC', 'BYLADEM1001')
  })

  await test.step('a British bank requires an account number and a sort code instead', async () => {
    await chooseCountry(page, 'Country of the bank', 'United Kingdom')
    await expect(dialog.getByLabel('IBAN')).toHaveCount(0)
    await write('Account number', '1234')
    await write('Sort code', '20-00')
    await page.keyboard.press('Tab')
    await expectFieldError('Account number', 'A British account number has 8 digits.')
    await expectFieldError('Sort code', 'A sort code has 6 digits, such as 20-00-00.')
    await write('Account number', '55779911')
    await write('Sort code', '20-00-00')
    // A click beside a dialog does not discard what has been entered.
    await page.mouse.click(5, 5)
    await expect(dialog.getByLabel('Sort code')).toHaveValue('20-00-00')
    await dialog.getByLabel('Sort code').focus()
  })

  await test.step('nothing is sent without a bank statement, and an unclear response is reported as a failure', async () => {
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert').getByText('You must upload bank statement.')).toBeVisible()
    const choice = dialog.getByRole('button', { name: /^Choose/ })
    await expect(choice).toBeFocused()
    await chooseFile(page, choice, { name: 'statement.pdf', mimeType: 'application/pdf', buffer: await makePdf(1) })
    await expect(dialog.getByText('Uploaded')).toBeVisible()
    await expect(choice).toBeFocused()
    // A response without a success flag (requirements 12.7).
    await page.route('**/addBankDetails', (route) => route.fulfill({ json: {} }))
    await press(page, submit)
    await expect(dialog.getByRole('alert').getByText('Something went wrong!')).toBeVisible()
    await expect(dialog.getByText('We have not received your request yet.')).toBeVisible()
    // Changed details would be a second request.
    await write('Bank name', 'Another Bank')
    await expect(dialog.getByText('You can send other details once we know their status.')).toBeVisible()
    await expect(submit).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(page)
    await write('Bank name', 'Example Bank AG')
    await expect(submit).toBeEnabled()
    await page.unroute('**/addBankDetails')
    await press(page, submit)
    await confirmIdentity(page, ['You are adding a bank account for withdrawals', '20-00-00', 'EUR'])
    await expect(dialog).toBeHidden()
  })

  await test.step('the pending account is shown as a card with its sort code, and can be changed', async () => {
    const card = page.getByRole('link', { name: /Example Bank AG.*Pending/i })
    await expect(card).toContainText('EUR · United Kingdom')
    await expect(card).toContainText(/20-00-00/)
    await expect(card).toContainText(/Added \d\d\/\d\d\/\d{4}/)
    await expectAccessible(page)
    await press(page, card)
    const statement = page.getByRole('link', { name: 'View Bank statement' })
    await expect(statement).toHaveAttribute('target', '_blank')
    await tabTo(page, statement)
    await type(page, page.getByLabel('Bank name'), 'Example Bank of Berlin')
    await page.keyboard.press('Enter')
    await confirmIdentity(page, ['You are changing a bank account for withdrawals', 'Example Bank of Berlin'])
    await expect(page.getByText('Saved. We will review the bank account again.')).toBeVisible()
    await expect(page.getByRole('link', { name: /Example Bank of Berlin/ })).toBeFocused()
  })
})

test('an approved bank account is read-only and explains why; a rejected one shows the reason and can be submitted again', async ({
  page,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const id = await createBankRequest(client)
  const clerk = await makeStaff(product, ['operations'])
  const reason = 'Der Name auf dem Auszug ist nicht Ihrer.'
  const body = { version: 1, reason: 'Another name.', clientReason: reason }
  const rejected = await call(product, rejectBankDetails, { as: clerk, params: { id }, body })
  expect(rejected.status).toBe(200)
  await makeApprovedBank(product, client, 'USD')
  await openAsClient(page, client, '/bank-details')
  for (const name of ['Approved Bank Accounts', 'Pending Bank Accounts'])
    await expect(page.getByRole('heading', { name })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Example Bank AG' })

  const approved = page.getByRole('link', { name: /Example Bank AG.*Approved/i })
  await press(page, approved)
  await expect(dialog.getByText(/approved bank details cannot be changed/)).toBeVisible()
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(approved).toBeFocused()

  const card = page.getByRole('link', { name: /Example Bank AG.*(Rejected|Pending)/i })
  await expect(card.locator('[lang="de"]')).toHaveText(reason)
  await press(page, card)
  await expect(dialog.getByText(reason)).toBeVisible()
  await expectAccessible(page)
  await press(page, dialog.getByRole('button', { name: 'Save' }))
  await confirmIdentity(page, [/DE02.1203.0000/])
  await expect(page.getByText('Saved. We will review the bank account again.')).toBeVisible()
  await expect(card.getByText('Pending')).toBeVisible()
})

test('a clerk imports the bank directory, and a client’s IBAN then fills in bank and BIC, using only the keyboard', async ({
  page,
  browser,
}) => {
  const { page: office } = await openPageAsStaff(browser, 'operations', 'Directory Clerk')
  await office.goto('/office/bank-details')
  await press(office, office.getByRole('button', { name: 'Bank directory' }))
  const directory = office.getByRole('dialog', { name: 'Bank directory' })
  await press(office, directory.getByRole('button', { name: 'Import table' }))
  await expect(directory.getByText('Choose a file.')).toBeVisible()
  await expectAccessible(office)
  const csv = 'country,bank_code,bic,name\nAT,19043,OPSKATWW,Example Bank Wien\n'
  const table = { name: 'banks.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await directory.getByLabel('Table as CSV').setInputFiles(table)
  const day = directory.getByRole('group', { name: 'Date of the table' })
  await type(office, day.getByLabel('Day'), '01')
  await type(office, day.getByLabel('Month'), '01')
  await type(office, day.getByLabel('Year'), '2025')
  await press(office, directory.getByRole('button', { name: 'Import table' }))
  await expect(directory.getByText('Banks: 1. As of 1 January 2025, imported by Directory Clerk.')).toBeVisible()

  const client = await newClient()
  await openAsClient(page, client, '/bank-details')
  await page.goto('/bank-details?add=bank')
  const dialog = page.getByRole('dialog', { name: 'New Bank Details' })
  await type(page, dialog.getByLabel('IBAN', { exact: true }), 'AT61 1904 3002 3457 3201')
  await expect(dialog.getByLabel('Bank name', { exact: true })).toHaveValue('Example Bank Wien')
  await expect(dialog.getByLabel('SWIFT/BIC', { exact: true })).toHaveValue('OPSKATWW')
  await expect(dialog.getByText('from the bank directory of 1 January 2025')).toBeVisible()
  // A bank that the directory does not have leaves none of the other bank's details behind.
  await type(page, dialog.getByLabel('IBAN', { exact: true }), 'DE02 1203 0000 0000 2020 51')
  await expect(dialog.getByLabel('Bank name', { exact: true })).toHaveValue('')
  await expect(dialog.getByLabel('SWIFT/BIC', { exact: true })).toHaveValue('')
  await type(page, dialog.getByLabel('IBAN', { exact: true }), 'AT61 1904 3002 3457 3201')
  await expect(dialog.getByLabel('Bank name', { exact: true })).toHaveValue('Example Bank Wien')
  await type(page, dialog.getByLabel('Bank name', { exact: true }), 'Another Bank')
  await expect(dialog.getByText('from the bank directory')).toHaveCount(0)
  await expectAccessible(page)
})
