/** Certificates of integrations with their own certificate authority, from files that the environment names. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { VariableName } from './environment.ts'
import { BadConfig, optionalValue, type Environment } from './read-variable.ts'
import { text } from './schemas.ts'

export interface CaOption {
  /** Certificates to trust in addition to those that Node trusts, PEM. */
  readonly ca?: string
}

/** Returns the certificates of the file that a variable names. */
export function readCa(env: Environment, name: VariableName): CaOption {
  const file = optionalValue(env, name, text)
  return file === null ? {} : { ca: readCertificates(file, name) }
}

/** Reads a file of certificates, PEM; each is parsed, because OpenSSL skips those that it cannot read. */
export function readCertificates(file: string, where: string): string {
  const badFile = (why: string) =>
    new BadConfig(`${where} is ${file}, ${why}. Give a file of certificates in PEM form.`)
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw badFile(`which cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? []
  if (certificates.length === 0) throw badFile('which contains no certificate')
  try {
    return certificates.map((one) => new X509Certificate(one).toString()).join('')
  } catch (error) {
    throw badFile(`which contains a damaged certificate (${(error as Error).message})`)
  }
}
