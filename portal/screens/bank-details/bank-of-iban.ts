import { useEffect, useRef, useState } from 'react'
import { lookUpBank } from '#contract/bank-details.ts'
import { isIban, plainNumber } from '#rules/bank-details.ts'
import { call } from '#ui/api/call.ts'
import { type BankForm, isBritish } from './bank-values.ts'

/**
 * Fills in bank and BIC once an IBAN is whole, where the firm's directory has them (requirements 24.15). What the client
 * has written stays. Answers the day of the directory while what it filled in stands there.
 */
export function useBankOfIban({ values, set }: BankForm): string | null {
  const iban = isBritish(values) || !isIban(values.bankIBAN) ? '' : plainNumber(values.bankIBAN)
  const [asked, setAsked] = useState(iban)
  const [filled, setFilled] = useState({ bankName: '', bankSwift: '', asOf: '' })
  const latest = useRef({ values, set, filled })
  useEffect(() => {
    latest.current = { values, set, filled }
  })
  useEffect(() => {
    if (iban === '' || iban === asked) return undefined
    let wanted = true
    void call(lookUpBank, { iban }).then(
      ({ bank }) => {
        if (!wanted) return
        setAsked(iban)
        if (!bank) return
        const { values: now, set: write, filled: before } = latest.current
        const free = (name: 'bankName' | 'bankSwift') => now[name].trim() === '' || now[name] === before[name]
        setFilled(bank)
        write({
          ...(free('bankName') ? { bankName: bank.bankName } : {}),
          ...(free('bankSwift') && bank.bankSwift !== '' ? { bankSwift: bank.bankSwift } : {}),
        })
      },
      // Without the directory the client writes both.
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [iban, asked])
  const stands = iban !== '' && filled.asOf !== '' && values.bankName === filled.bankName
  return stands ? filled.asOf : null
}
