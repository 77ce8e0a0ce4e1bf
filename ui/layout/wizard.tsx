import { IconArrowLeft, IconArrowRight, IconCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { useBrowserBack } from '../navigation/browser-back.ts'
import { Button } from '../forms/button.tsx'
import './wizard.css'

interface RailStep {
  title: ReactNode
  state: 'done' | 'current' | 'ahead'
  /** Only those of the current step are shown. */
  parts?: readonly { title: ReactNode; state: 'done' | 'current' | 'ahead' }[]
}

/** The steps on the left (registration); on phones a bar with "Part 3 of 6". */
export function WizardRail({ label, steps }: { label: string; steps: readonly RailStep[] }) {
  const { t } = useLingui()
  const currentStep = steps.find((step) => step.state === 'current')
  const parts = currentStep?.parts ?? []
  const part = parts.findIndex((candidate) => candidate.state === 'current')
  // On phones the bar counts the parts of all steps.
  const all = steps.reduce((sum, step) => sum + (step.parts?.length ?? 1), 0)
  const before = currentStep ? steps.slice(0, steps.indexOf(currentStep)) : []
  const reached = before.reduce((sum, step) => sum + (step.parts?.length ?? 1), 0) + Math.max(0, part) + 1
  return (
    <nav className="wizard-rail" aria-label={label}>
      <p className="wizard-bar">
        <b className="strong">{currentStep?.title}</b>
        {part >= 0 && <span className="muted"> {t`Part ${reached} of ${all}`}</span>}
        <StepProgress step={reached} of={Math.max(1, all)} />
      </p>
      <ol>
        {steps.map((step, index) => (
          <li key={index} className={step.state} aria-current={step.state === 'current' ? 'step' : undefined}>
            <span className="rail-mark" aria-hidden="true">
              {step.state === 'done' ? <IconCheck className="small" /> : index + 1}
            </span>
            <b>{step.title}</b>
            {step.state === 'done' && (
              <span className="unseen">
                {' '}
                <Trans>done</Trans>
              </span>
            )}
            {step.state === 'current' && parts.length > 0 && (
              <ol>
                {parts.map((row, position) => (
                  <li key={position} className={row.state} aria-current={row.state === 'current' ? 'step' : undefined}>
                    {row.state === 'done' && <IconCheck className="small" aria-hidden="true" />}
                    {row.title}
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** A horizontal progress line for short wizards (professional). No percentages. */
export function StepProgress({ step, of }: { step: number; of: number }) {
  return (
    <span className="step-rule" aria-hidden="true">
      {Array.from({ length: of }, (_, index) => (
        <i key={index} className={index < step ? 'filled' : undefined} />
      ))}
    </span>
  )
}

interface StepHeaderProps {
  title: ReactNode
  section?: ReactNode
  children?: ReactNode
  level?: 1 | 2
}

/** The title of a step, preferably a question; receives the focus when the step changes. */
export function StepHeader({ title, section, children, level = 1 }: StepHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnStep(heading)
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <header className="step-header">
      {section && <p className="section-name">{section}</p>}
      <Heading ref={heading} tabIndex={-1}>
        {title}
      </Heading>
      {children && <p className="muted measure">{children}</p>}
    </header>
  )
}

/**
 * Focuses the heading, but not before the person has done anything: then the browser's initial focus is right. The
 * step's component needs the step as its key.
 */
function useFocusOnStep(heading: { current: HTMLHeadingElement | null }): void {
  useEffect(() => {
    if (navigator.userActivation.hasBeenActive) heading.current?.focus({ preventScroll: false })
  }, [heading])
}

interface CompletedStepProps {
  label: ReactNode
  /** Omitted if it cannot be changed now. */
  onChange?: (() => void) | undefined
  children: ReactNode
}

/** A completed step, collapsed to one line. */
export function CompletedStep({ label, onChange, children }: CompletedStepProps) {
  return (
    <div className="decided-line">
      <IconCheck className="small" aria-hidden="true" />
      <span className="decided-label">{label}</span>
      <span className="decided-value">{children}</span>
      {onChange && (
        <button type="button" className="text-button" onClick={onChange}>
          <Trans>Change</Trans>
          <span className="unseen"> {label}</span>
        </button>
      )}
    </div>
  )
}

interface WizardFooterProps {
  onBack?: (() => void) | undefined
  /** Omitted if the form's submit handles it: the button then has type submit. */
  onNext?: () => void
  /** NEXT, or the action of the step: "SEND FOR APPROVAL", "WITHDRAW 1,200.00 EUR". */
  next?: ReactNode
  pending?: boolean
  disabledReason?: ReactNode
  /** The step continues automatically, so there is only BACK. */
  isAutomatic?: boolean
  /** On phones only, above the buttons: the amount received, while the summary is not visible. */
  phoneLine?: ReactNode
}

/** BACK on the left, NEXT on the right, always in the same place; on phones they stick to the bottom. */
export function WizardFooter(props: WizardFooterProps) {
  const { onBack, onNext, next, pending, disabledReason, isAutomatic = false, phoneLine } = props
  const { t } = useLingui()
  // A request in progress cannot be left: its response decides the next step.
  const goBack =
    onBack &&
    (() => {
      if (!pending) onBack()
    })
  useBrowserBack(goBack)
  return (
    <footer className="wizard-footer">
      {phoneLine && <p className="wizard-phone-line">{phoneLine}</p>}
      {goBack ? (
        <Button
          onClick={goBack}
          aria-disabled={pending || undefined}
          icon={<IconArrowLeft aria-hidden="true" />}
        >{t`BACK`}</Button>
      ) : (
        <span />
      )}
      {!isAutomatic && (
        <Button
          kind="primary"
          type={onNext ? 'button' : 'submit'}
          onClick={onNext}
          pending={Boolean(pending)}
          disabledReason={disabledReason}
          iconAfter={next ? undefined : <IconArrowRight aria-hidden="true" />}
        >
          {next ?? t`NEXT`}
        </Button>
      )}
    </footer>
  )
}
