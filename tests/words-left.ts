/**
 * Remaining uses of words of tests/home-made-words.txt, with reasons (ADR 171). Each row names one file and one word.
 */
interface AllowedUse {
  readonly file: string
  readonly word: string
  readonly reason: string
}

const actor = 'The stored name of the actor `external`, sealed into the audit log and sent to the back office.'
const clientActions = 'The field of the client’s page, a name on the wire.'
const formerName = 'The column "former name" of the glossary.'
const legalText = 'A legal text of the firm: the code only proposes it.'

export const allowedUses: readonly AllowedUse[] = [
  { file: 'server/db/events.ts', word: 'outside', reason: actor },
  { file: 'contract/office/decisions.ts', word: 'outside', reason: actor },
  { file: 'office/records/actor-label.ts', word: 'outside', reason: actor },
  { file: 'contract/office/clients.ts', word: 'deeds', reason: clientActions },
  { file: 'contract/office/clients.ts', word: 'deed', reason: clientActions },
  { file: 'server/features/clients/page-actions.ts', word: 'deeds', reason: clientActions },
  { file: 'server/features/clients/page-actions.ts', word: 'deed', reason: clientActions },
  { file: 'server/features/clients/page-queries.ts', word: 'deeds', reason: clientActions },
  { file: 'server/features/clients/clients.test.ts', word: 'deeds', reason: clientActions },
  { file: 'server/features/retention/retention.test.ts', word: 'deeds', reason: clientActions },
  { file: 'contract/office/inbox-filter.ts', word: 'nobody', reason: 'The value of an unassigned item on the wire.' },
  { file: 'scripts/database-binaries.ts', word: 'nobody', reason: 'The user of the operating system.' },
  { file: 'docs/glossary.md', word: 'door', reason: formerName },
  { file: 'docs/glossary.md', word: 'outside', reason: formerName },
  { file: 'docs/glossary.md', word: 'ready reason', reason: formerName },
  { file: 'docs/glossary.md', word: 'spoken answer', reason: formerName },
  { file: 'server/settings/default-texts.ts', word: 'nobody', reason: legalText },
  { file: 'server/settings/defaults.ts', word: 'outside', reason: legalText },
  { file: 'tests/e2e/trading-accounts.spec.ts', word: 'outside', reason: legalText },
  { file: 'server/locales/de.po', word: 'nobody', reason: legalText },
  { file: 'server/locales/de.po', word: 'outside', reason: legalText },
]
