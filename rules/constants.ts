/**
 * All numbers of the requirements (17.4), by subject. For configurable ones this is only the default; settings have the
 * value in force. Amounts are minor units.
 */

// Accounts, amounts, documents, the professional application, the firm notice (requirements 7, 8, 9, 10, 13, 14.3).
export const passwordLengthMin = 6
export const demoBalances = [200, 500, 1000, 5000, 10_000, 25_000, 50_000] as const
export const platforms = ['MT4', 'MT5'] as const
export const accountTypes = ['Standard', 'ECN'] as const
/** Length of the first password of a trading account: both platforms accept 12 characters of all four classes. */
export const tradingPasswordLength = 12
/**
 * The only leverage of retail accounts (requirements 7.9; `leveragesFor` in leverage.ts); a higher one is lowered when
 * a client becomes retail. Two texts name it as 1:30: the registration (portal/screens/register/account-steps.tsx) and
 * the mail of `professional-reversed` (server/mail/templates/clients.ts).
 */
export const retailLeverage = 30
export const professionalLeverages = [30, 50, 100, 200, 300, 400, 500] as const
/** What a request may name; the handlers check that the client may have it (`leveragesFor`). */
export const leverages = [...new Set([retailLeverage, ...professionalLeverages])]
export const cardFeePercent = '0'
export const bankTransferFeePercent = '0'
/** Fees are rounded to 2 decimals and balances shown with 2: all three currencies have two (ISO 4217). */
export const moneyDecimals = 2
/**
 * Defaults of the minimum deposit, withdrawal and transfer. The settings limits.depositMin, withdrawalMin and transferMin are in force;
 * checkDeposit, checkWithdrawal and checkTransfer (deposits.ts, withdrawals.ts, transfers.ts) apply them.
 */
export const depositMinMinor = 10_00n
/** The sum of a client's announced wires that have not arrived (requirements 8.17). */
export const announcedWiresMinor = 1_000_000_00n
export const withdrawalMinMinor = 1_00n
export const transferMinMinor = 5_00n
export const proofOfAddressMonthsMax = 3
/** Shown to clients; staff see when a work item is due (`dueAt` in work-items.ts, setting `sla`). */
export const processingHoursMax = 48
export const riskLevels = [1, 2, 3, 4, 5] as const
export const cardTypes = [
  { code: 1, name: 'Visa credit, Maestro, Visa Electron' },
  { code: 3, name: 'MasterCard credit' },
  { code: 114, name: 'Visa debit' },
  { code: 119, name: 'MasterCard debit' },
] as const
export const countyLengthMax = 30
/** Employer, role and description of the professional application. */
export const professionalTextLengthMin = 2
/** The other thresholds (four quarters, EUR 500,000 and one year) are in the text of its Yes/No questions. */
export const professionalTradesPerQuarter = 10
export const professionalWizardSteps = 6
export const noticeShownMs = 5000
/** Of a notice with a button: time enough to reach it by keyboard (WCAG 2.2, SC 2.2.1). */
export const undoShownMs = 20_000
export const declarationNoticeShownMs = 3000
export const historyPageSizes = [10, 20] as const
/** Closure dates: month and day in the firm's time zone, and the hour on that day (requirements 14.3). */
export const closureMonth = 7
export const closureDay = 5
export const closureHour = 15

// Ages, dates and card expiry (requirements 3.6, 5.11, 8.3).
export const adultAgeYears = 18
export const birthYearsBack = 100
export const cardExpiryYearsAhead = 50

// Requirements 4.6, 4.7, 4.13: sessions, links, passwords.
export const passwordLengthMax = 256
export const staffPasswordLengthMin = 12
/**
 * Defaults of the setting `security`, which is in force: server/auth/client-sessions.ts and, for staff,
 * server/features/staff-sessions/log-in-second-factor.ts store it with each session, server/http/sessions.ts enforces
 * it on each request.
 */
export const clientSessionIdleSeconds = 30 * 60
export const clientSessionSeconds = 12 * 3600
export const staffSessionIdleSeconds = 15 * 60
export const staffSessionSeconds = 8 * 3600
export const resetLinkSeconds = 30 * 60
export const confirmationLinkSeconds = 24 * 3600
export const invitationLinkSeconds = 72 * 3600
export const encryptedPasswordSeconds = 5 * 60
/** The interval in which an open stream of events sends at least a sign of life. */
export const heartbeatMs = 20_000
export const ticketSeconds = 5 * 60
export const ticketTriesMax = 5
export const recoveryCodeCount = 10

// Requirements 4.18, 6.11, 7.5: files, accounts, limits. The types of files: `prepareFile`
// (server/features/files/prepare-file.ts); the scan: upload-file.ts; only clean files are shown: `fileForViewer`
// (view-file.ts); those without a result are scanned again: jobs.ts.
export const uploadBytesMax = 15 * 1024 * 1024
export const fileLinkSeconds = 5 * 60
export const filesPerClientMax = 300
export const fileBytesPerClientMax = 600 * 1024 * 1024
export const imagePixelsMax = 60_000_000
export const pdfPagesMax = 50
export const unusedFileDays = 30
export const strayBytesHours = 2
export const expiryNoticeDaysAhead = 30
/** An image taken longer before its upload, in days, is suspicious. */
export const takenBeforeUploadDays = 30
export const firstPasswordDays = 7
export const nicknameLengthMax = 30
export const tradingPasswordLengthMin = 8
export const tradingPasswordLengthMax = 15
export const resendSeconds = 60
export const mailsPerHourMax = 5
/** Wrong passwords and codes of one account from one address; the setting rateLimits.failedSignInsOfPair is in force. */
export const signInFailuresPerPair = 10
export const signInFailuresPerAddress = 50
/** Wrong codes of a sign-in, and wrong passwords or codes of a person who is signed in; not configurable. */
export const confirmationFailuresMax = 10
/** The window in which both are counted. */
export const signInFailureSeconds = 15 * 60
export const signInFailuresBeforeDelay = 30
export const signInTriesPerHour = 300
export const registrationsPerHour = 20
export const resetsPerHour = 5
export const uploadsPerHour = 60
export const moneyRequestsPerMinute = 20
export const exportsPerHour = 60
/** A client's account requests: each live one is an item for staff, each demo an account on a platform. */
export const accountRequestsPerHour = 30
export const securityAnswerTriesMax = 5
/** How long a correct security answer is valid. */
export const securityAnswerValidMinutes = 15
/** The maximum age of the last confirmation before changes of money and access, by default and at most. */
export const stepUpMinutes = 5
export const stepUpMinutesMax = 60
/**
 * One day is promised; with three, a clock that jumps ahead by one day deletes no key of today (requirements 33.10).
 */
export const idempotencyKeyHours = 72

// Requirements 18.6, 9.7, 18.21.
export const snapshotAgeSecondsMax = 15 * 60
/** A decision reads older balances again; opening its page reads those older than the second value. */
export const decisionSnapshotSecondsMax = 60
export const pageSnapshotSeconds = 15
export const newBankDetailsDays = 30
export const signInChangeHours = 24
export const marginLevelMin = 150
/**
 * From this amount on two people approve: the default of the setting `thresholds` (requirements 9.7), whose changes a
 * second administrator approves.
 */
export const dualApprovalMinor = 10_000_00n
export const dualApprovalDemoMinor = 200_00n
export const sameBankHours = 24
export const enteredLinesHours = 24
export const announcedDepositDays = 30
export const unmatchedLineDays = 5
export const transferQuoteSeconds = 5 * 60
/** Due times of a new firm (requirements 24.3), and the maximum in each unit. */
export const dueHours = { documents: 48, clients: 48, money: 24, enquiries: 48 } as const
export const dueWorkingDays = 1
export const dueMax = { hours: 720, workingDays: 90 } as const
/** Eight weeks (requirements 24.42). */
export const complaintDueDays = 56
export const complaintDueDaysMax = 365
export const officePageSizeMax = 100
/** The maximum snooze of an inbox item (requirements 24.7). */
export const snoozeDaysMax = 90
/** Per person and list. */
export const savedViewsMax = 30
/** Non-working days of a firm's calendar, for about ten years (requirements 24.3). */
export const holidaysMax = 120
/** Scheduled reports are sent in the morning in the firm's time zone (requirements 24.56). */
export const reportMailHour = 6

/** Maximum banks of an imported directory (requirements 24.15). */
export const bankDirectoryRowsMax = 50_000

/** Days after the end of a month on which its account statements are created at the earliest (requirements 24.13). */
export const statementDueDays = 2
/** Maximum transactions of a bank statement file: each creates an event, a posting and a work item. */
export const statementLinesMax = 5_000

/** After a data loss the bank statements must cover this many banking days after the start of recovery. */
export const recoveryBankingDays = 2
export const recoveryBankingDaysMax = 30

/** How old the transfer rates may be: over a weekend with a bank holiday on either side (requirements 24.167). */
export const transferRateDays = 4
export const transferRateDaysMax = 31
