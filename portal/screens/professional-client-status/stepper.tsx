import { IconCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'

/** The six steps on a rule that fills; on phones the current one alone is named. */
export function Stepper({ step }: { step: number }) {
  const { t } = useLingui()
  const names = [
    t`Disclosure`,
    t`Trade size and volume`,
    t`Portfolio size`,
    t`Professional experience`,
    t`Employer regulation`,
    t`Confirmation`,
  ]
  const count = names.length
  return (
    <nav aria-label={t`Steps`}>
      <ol className="steps-line">
        {names.map((name, index) => {
          const number = index + 1
          const state = number < step ? 'done' : number === step ? 'current' : 'ahead'
          return (
            <li key={name} className={state} aria-current={state === 'current' ? 'step' : undefined}>
              {state === 'done' ? (
                <IconCheck className="small" aria-hidden="true" />
              ) : (
                <span className="numbers">{number}</span>
              )}
              <span>{name}</span>
              {state === 'done' && (
                <span className="unseen">
                  <Trans>done</Trans>
                </span>
              )}
            </li>
          )
        })}
      </ol>
      <p className="steps-line-phone" aria-hidden="true">
        <Trans>
          {step} of {count}
        </Trans>{' '}
        · {names[step - 1]}
      </p>
    </nav>
  )
}
