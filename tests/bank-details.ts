/** The bank details of a made client. */
import { sql, type Sql } from '#server/db/sql.ts'

/** A bank account in euro, in the form of the portal. */
export const madeBank = {
  bankName: 'Example Bank AG',
  bankAddress: 'Musterplatz 1, Berlin',
  bankCountry: 'DE',
  bankIBAN: 'DE02120300000000202051',
  bankSwift: 'BYLADEM1001',
}

/** Returns the statement that makes bank details in euro with their holder, in a state; it returns their id. */
export function bankDetailsOf(clientId: string, iban: string, state: string, now: Date): Sql {
  return sql`insert into bank_details (client_id, bank_name, bank_address, bank_country, currency, iban, swift,
    holder_name, state, added_at) values (${clientId}, ${madeBank.bankName}, ${madeBank.bankAddress},
    ${madeBank.bankCountry}, 'EUR', ${iban}, ${madeBank.bankSwift}, 'Hannah Brandt', ${state}, ${now}) returning id`
}
