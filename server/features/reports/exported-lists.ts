/**
 * The columns of each list of the back office in its CSV file; rows, filters and order are those of its page. A new
 * column of a page is added here too.
 */
import type * as z from 'zod/mini'
import { listOfficeBankDetails } from '#contract/office/bank-details.ts'
import { listCorrections, listDifferences } from '#contract/office/accounting.ts'
import { searchClients } from '#contract/office/clients.ts'
import { listAccountRequests } from '#contract/office/account-requests.ts'
import { listOfficeEnquiries } from '#contract/office/enquiries.ts'
import { listOfficeDeposits } from '#contract/office/deposits.ts'
import { listBankLines } from '#contract/office/bank-lines.ts'
import { listDocumentCases } from '#contract/office/documents.ts'
import { listFirmMoney } from '#contract/office/firm-money.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { listLeverageRequests } from '#contract/office/leverage-requests.ts'
import { listPayoutBatches } from '#contract/office/payout-batches.ts'
import { listProfessional } from '#contract/office/professional.ts'
import { listProfileChanges } from '#contract/office/profile-changes.ts'
import { listRecoveryItems } from '#contract/office/recovery.ts'
import { listFailedJobs } from '#contract/office/records.ts'
import { type exportedLists } from '#contract/office/list-export.ts'
import { listStaff } from '#contract/office/staff.ts'
import { listOfficeTransfers } from '#contract/office/transfers.ts'
import { listOfficeWithdrawals } from '#contract/office/withdrawals.ts'
import { requireStaff } from '../../http/handler.ts'
import { chargedBackOf, refundedOf } from '../../ledger/returned-amounts.ts'
import { accountRequestListing } from '../accounts/queries.ts'
import { bankListing } from '../bank-details/queries.ts'
import { firmTransferListing } from '../client-money/queries.ts'
import { clientListing } from '../clients/queries.ts'
import { correctionListing } from '../corrections/queries.ts'
import { bankLineListing, depositListing } from '../deposits/queries.ts'
import { documentListing } from '../documents/queries.ts'
import { enquiryListing } from '../enquiries/queries.ts'
import { failedListing } from '../failed-operations/queries.ts'
import { inboxListing, todayOf, type InboxQuery } from '../inbox/queries.ts'
import { leverageListing } from '../leverage/queries.ts'
import { professionalListing } from '../professional-status/queries.ts'
import { profileChangeListing } from '../profile-changes/queries.ts'
import { differenceListing } from '../reconciliation/queries.ts'
import { itemListing } from '../recovery/queries.ts'
import { staffListing } from '../staff/queries.ts'
import { firmDay } from '../../office/absences.ts'
import { deciderOf } from '../../office/work-item-access.ts'
import { transferListing } from '../transfers/queries.ts'
import { batchListing } from '../withdrawals/batches/queries.ts'
import { withdrawalListing } from '../withdrawals/queries.ts'
import { type ExportedList, exportedList } from './exported.ts'

const staffName = (id: string) => `(select s.name from staff s where s.id = ${id})`
const clientNumber = (id: string) => `(select number from clients where id = ${id})`
const amountOf = (row: string) => ({ amount_minor: `${row}.amount_minor`, currency: `${row}.currency` })
const decisionOf = (row: string) => ({
  requested: `${row}.requested_at`,
  decided: `${row}.decided_at`,
  reason: `${row}.reason`,
})

const proposalOf = (row: string) => ({ asked_by: 's.name', asked: `${row}.asked_at`, decided: `${row}.decided_at` })

const client = { client: 'c.number', client_name: "c.name || ' ' || c.surname", email: 'c.email' }

export const lists: Readonly<Record<(typeof exportedLists)[number], ExportedList>> = {
  inbox: exportedList(
    { access: listInbox.access, query: listInbox.query as z.ZodMiniType<InboxQuery> },
    async (dependencies, context) =>
      inboxListing(await deciderOf(dependencies, context), await todayOf(dependencies, context.now)),
    {
      kind: 'w.kind',
      state: 'w.state',
      ...client,
      due: 'w.due_at',
      since: 'w.created_at',
      assignee: 's.name',
      facts: 'w.summary::text',
    },
  ),
  clients: exportedList(searchClients, clientListing, {
    number: 'c.number',
    name: client.client_name,
    email: 'c.email',
    state: 'c.state',
    client_status: 'c.client_status',
    country: 'c.country',
    registered: 'c.registered_at',
    approved: 'c.approved_at',
    pending: '(select count(*) from work_items w where w.client_id = c.id and w.closed_at is null)',
  }),
  documents: exportedList(listDocumentCases, documentListing, {
    ...client,
    documents: `(select string_agg(d.kind || ' ' || d.state, ', ' order by d.created_at, d.id) from documents d
      where d.client_id = c.id)`,
    sent: 'c.documents_sent_at',
    due: 'w.due_at',
  }),
  'account-requests': exportedList(listAccountRequests, accountRequestListing, {
    ...client,
    state: 'a.state',
    request: 'a.request_type',
    platform: 'a.platform',
    type: 'a.acc_type',
    currency: 'a.currency',
    leverage: 'a.leverage',
    number: 'a.login',
    ...decisionOf('a'),
  }),
  'leverage-requests': exportedList(listLeverageRequests, leverageListing, {
    ...client,
    account: 'a.login',
    currency: 'a.currency',
    from: 'l.from_leverage',
    to: 'l.to_leverage',
    state: 'l.state',
    ...decisionOf('l'),
  }),
  'bank-details': exportedList(
    listOfficeBankDetails,
    (_dependencies, context) => bankListing(requireStaff(context).roles),
    {
      ...client,
      bank: 'b.bank_name',
      country: 'b.bank_country',
      currency: 'b.currency',
      last_four: 'right(coalesce(b.iban, b.account_number), 4)',
      state: 'b.state',
      added: 'b.added_at',
      decided: 'b.decided_at',
      reason: 'b.reason',
    },
  ),
  deposits: exportedList(listOfficeDeposits, depositListing, {
    reference: 'd.reference',
    ...client,
    account: 'a.login',
    method: 'd.method',
    announced_minor: 'd.amount_minor',
    received_minor: 'd.received_minor',
    refunded_minor: refundedOf,
    charged_back_minor: chargedBackOf,
    fee_minor: 'd.fee_minor',
    currency: 'd.currency',
    state: 'd.state',
    requested: 'd.requested_at',
    approved: 'd.approved_at',
    comment: 'd.comment',
  }),
  'bank-lines': exportedList(listBankLines, bankLineListing, {
    bank_account: 'l.bank_account',
    bank_id: 'l.bank_id',
    ...amountOf('l'),
    payer: 'l.payer',
    remittance: 'l.remittance',
    booked: 'l.booked_on',
    state: 'l.state',
    settlement_fee_minor: 'l.settlement_fee_minor',
    reason: 'l.reason',
  }),
  withdrawals: exportedList(listOfficeWithdrawals, withdrawalListing, {
    reference: 'w.reference',
    ...client,
    account: 'a.login',
    amount_minor: 'w.amount_minor',
    fee_minor: 'w.fee_minor',
    currency: 'w.currency',
    state: 'w.state',
    requested: 'w.requested_at',
    approved: 'w.approved_at',
    paid: 'w.paid_at',
    comment: 'w.comment',
  }),
  'payout-batches': exportedList(listPayoutBatches, batchListing, {
    batch: "'PB-' || lpad(b.number::text, 6, '0')",
    currency: 'b.currency',
    payments: 'b.count',
    total_minor: 'b.total_minor',
    state: 'b.state',
    created: 'b.created_at',
    created_by: staffName('b.created_by'),
    released: 'b.released_at',
    released_by: staffName('b.released_by'),
    sent: 'b.sent_at',
    confirmed_by: staffName('b.confirmed_by'),
    sha256: 'b.sha256',
  }),
  transfers: exportedList(listOfficeTransfers, transferListing, {
    reference: 't.reference',
    ...client,
    from: 's.login',
    to: 'e.login',
    ...amountOf('t'),
    rate: 't.rate',
    arrives_minor: 't.arrives_minor',
    arrives_currency: 't.arrives_currency',
    state: 't.state',
    requested: 't.requested_at',
    comment: 't.comment',
  }),
  professional: exportedList(listProfessional, professionalListing, {
    ...client,
    state: 'p.state',
    submitted: 'p.submitted_at',
    decided: 'p.decided_at',
    reason: 'p.reason',
  }),
  'profile-changes': exportedList(listProfileChanges, profileChangeListing, {
    ...client,
    field: 'p.field',
    from: 'p.from_value',
    to: 'p.to_value',
    state: 'p.state',
    ...decisionOf('p'),
  }),
  enquiries: exportedList(listOfficeEnquiries, (_dependencies, context) => enquiryListing(context.now), {
    reference: 'e.reference',
    client: 'c.number',
    client_name: "coalesce(e.name, c.name || ' ' || c.surname)",
    email: 'coalesce(e.email, c.email)::text',
    complaint: "case when e.complaint then 'yes' else 'no' end",
    topic: 'e.topic',
    about: 'e.about_reference',
    state: 'e.state',
    asked: 'e.asked_at',
    due: 'e.due_at',
    outcome: 'e.outcome',
    decided: 'e.concluded_at',
    reason: `(select m.text from enquiry_messages m where m.enquiry_id = e.id and m.concludes and e.outcome is not null
      order by m.written_at desc, m.id desc limit 1)`,
  }),
  corrections: exportedList(listCorrections, correctionListing, {
    ...client,
    account: 'a.login',
    ...amountOf('k'),
    state: 'k.state',
    why: 'k.reason',
    returned_deposit: 'd.reference',
    ...proposalOf('k'),
  }),
  'firm-money': exportedList(listFirmMoney, firmTransferListing, {
    reference: 'm.reference',
    ...amountOf('m'),
    state: 'm.state',
    why: 'm.reason',
    payer: 'l.payer',
    ...proposalOf('m'),
  }),
  reconciliation: exportedList(listDifferences, differenceListing, {
    kind: 'd.kind',
    client: clientNumber('a.client_id'),
    platform: 'a.platform',
    account: 'a.login',
    ours_minor: 'd.ours_minor',
    theirs_minor: 'd.theirs_minor',
    difference_minor: `case when d.ours_minor is not null or d.theirs_minor is not null
      then coalesce(d.theirs_minor, 0) - coalesce(d.ours_minor, 0) end`,
    currency: 'd.currency',
    state: 'd.state',
    found: 'd.found_at',
    reason: 'd.reason',
    facts: 'd.facts::text',
  }),
  recovery: exportedList(listRecoveryItems, itemListing, {
    kind: 'i.kind',
    platform: 'i.platform',
    account: 'i.login',
    client: clientNumber('i.client_id'),
    reference: 'i.reference',
    ticket: 'i.ticket',
    ...amountOf('i'),
    state: 'i.state',
    at: 'i.deal_at',
    found: 'i.found_at',
    decided: 'i.decided_at',
    reason: 'i.reason',
  }),
  staff: exportedList(listStaff, async (dependencies, { now }) => staffListing(await firmDay(dependencies, now)), {
    name: 's.name',
    email: 's.email',
    roles: "array_to_string(s.roles, ' ')",
    state: 's.state',
    second_factor: "case when s.factor_confirmed_at is null then 'no' else 'yes' end",
    created: 's.created_at',
    last_sign_in: 's.last_sign_in_at',
    away_from: 'a.away_from',
    away_until: 'a.away_until',
  }),
  'failed-jobs': exportedList(listFailedJobs, failedListing, {
    source: 'f.source',
    kind: 'coalesce(f.leg, f.kind)',
    state: 'f.state',
    ref: 'f.ref',
    target: 'f.target',
    client: clientNumber('f."clientId"'),
    tries: 'f.tries',
    asked: 'f.asked',
    last_error: 'f."lastError"',
    written: 'f."firstAt"',
    parked: 'f."parkedAt"',
  }),
}
