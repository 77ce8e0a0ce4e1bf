/**
 * The data with which an account is opened: stored, encrypted, when it is first sent, and the same at each repeat.
 * Client data may change in between, and the MT4 gateway rejects another body under the same key (requirements 24.148).
 */
import { countryOf } from '#rules/countries.ts'
import type { AccountId } from '#rules/ids.ts'
import { encryptSecret, decryptSecret, type Keys } from '../../crypto/keys.ts'
import { requireRow } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { AccountHolder, NewPlatformAccount } from '../../integrations/trading-platform/trading-server.ts'
import { newTradingPassword } from './first-password.ts'
import type { AccountOpening } from './request-queries.ts'

/** The first password is stored apart, because it is kept until the client has seen it. */
type OpeningData = Omit<NewPlatformAccount, 'ref' | 'group' | 'main'>

const label = (accountId: AccountId) => `opening:${accountId}`

/** Returns the data that an account is opened with, as they were when it was first sent. */
export async function openingData(
  { jobs, keys }: Pick<Dependencies, 'jobs' | 'keys'>,
  account: AccountOpening,
): Promise<OpeningData> {
  const { id, name, surname, email, country, leverage } = account
  const data: OpeningData = {
    name: `${name} ${surname}`,
    email,
    country: countryOf(country)?.name.en ?? country,
    leverage,
    investor: newTradingPassword(),
    person: holderOf(account),
  }
  const sealed = encryptSecret(keys.factor, label(id), Buffer.from(JSON.stringify(data)))
  const stored = await requireRow<{ sealed: Buffer }>(jobs)`
    update trading_accounts set opening_data = coalesce(opening_data, ${sealed}) where id = ${id}
      returning coalesce(opening_data, ${sealed}) as sealed`
  return JSON.parse(decryptSecret(keys.factor, label(id), stored.sealed).toString()) as OpeningData
}

/** Returns stored data re-encrypted under the current key. */
export function reencryptOpeningData(keys: Pick<Keys, 'factor'>, accountId: AccountId, sealed: Buffer): Buffer {
  return encryptSecret(keys.factor, label(accountId), decryptSecret(keys.factor, label(accountId), sealed))
}

/** Returns the client's data that the platform stores. */
function holderOf(account: AccountOpening): AccountHolder {
  const { name, surname, mobilePhone, addressNo, address, city, county, postcode, language, clientStatus } = account
  return {
    firstName: name,
    lastName: surname,
    phone: mobilePhone ?? '',
    address: [addressNo, address].filter(Boolean).join(', '),
    city: city ?? '',
    state: county,
    postcode: postcode ?? '',
    language,
    status: clientStatus,
  }
}
