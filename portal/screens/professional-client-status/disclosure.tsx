import { IconArrowRight } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { professionalLeverages, retailLeverage } from '#rules/constants.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { leverageText } from '#ui/text/code-format.ts'
import { StepHeader } from '#ui/layout/wizard.tsx'

interface DisclosureProps {
  ticked: boolean
  onTick: (ticked: boolean) => void
  onNext: () => void
}

/** Step 1: lost protections come before benefits. Without the tick a dialog asks again. */
export function Disclosure({ ticked, onTick, onNext }: DisclosureProps) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  return (
    <div className="professional-disclosure">
      <StepHeader level={2} title={<Trans>Protections you give up</Trans>}>
        <Trans>Read this before you decide. You can request to become a retail client again at any time.</Trans>
      </StepHeader>
      <Protections />
      <div className="stack professional-words">
        <p>
          <Trans>
            We assume that professional clients can assess the risks of each trade. We also assume that they can bear
            losses. We do not have to warn you as we warn retail clients. We do not have to check whether a product is
            appropriate for you.
          </Trans>
        </p>
        <p>
          <Trans>
            Your money stays client money and is kept separate from ours. What changes is how much you can lose and
            where you can turn for help.
          </Trans>
        </p>
      </div>
      <Checkbox look="tile" checked={ticked} onChange={(event) => onTick(event.target.checked)}>
        <Trans>I have read which protections I give up. I want to be treated as a professional client.</Trans>
      </Checkbox>
      <footer className="wizard-footer">
        <ButtonLink href={portalPaths.home}>{t`Leave`}</ButtonLink>
        <Button
          kind="primary"
          iconAfter={<IconArrowRight aria-hidden="true" />}
          onClick={() => (ticked ? onNext() : setAsking(true))}
        >
          <Trans>NEXT</Trans>
        </Button>
      </footer>
      <Dialog
        title={t`Give up retail protections?`}
        role="alertdialog"
        isOpen={asking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button kind="quiet" onClick={() => setAsking(false)}>{t`Read again`}</Button>
            <Button kind="primary" onClick={onNext}>{t`Give up protections`}</Button>
          </>
        }
      >
        <p className="muted">
          {t`Confirm that you have read which protections you give up and want to be treated as a professional client.`}
        </p>
      </Dialog>
    </div>
  )
}

function Protections() {
  const { t } = useLingui()
  const retail = leverageText(retailLeverage)
  const most = leverageText(Math.max(...professionalLeverages))
  return (
    <table className="protections">
      <thead>
        <tr>
          <th scope="col">{t`Protection`}</th>
          <th scope="col">{t`Retail Client`}</th>
          <th scope="col">{t`Professional Client`}</th>
        </tr>
      </thead>
      <tbody>
        <Protection
          name={<Trans>Leverage</Trans>}
          retail={<Trans>{retail} only</Trans>}
          professional={<Trans>Up to {most}</Trans>}
        />
        <Protection
          name={<Trans>Losses</Trans>}
          retail={<Trans>Never more than you deposited</Trans>}
          professional={<Trans>Can be more than you deposited</Trans>}
        />
        <Protection
          name={<Trans>Margin close-out</Trans>}
          retail={<Trans>At half the required margin</Trans>}
          professional={<Trans>At a level set by the firm</Trans>}
        />
        <Protection
          name={<Trans>Risk warnings</Trans>}
          retail={<Trans>Standard warning with loss figures</Trans>}
          professional={<Trans>Not required</Trans>}
        />
        <Protection
          name={<Trans>Our communication</Trans>}
          retail={<Trans>In plain language</Trans>}
          professional={<Trans>As for an experienced client</Trans>}
        />
        <Protection
          name={<Trans>Ombudsman</Trans>}
          retail={<Trans>Available to you</Trans>}
          professional={<Trans>May not be available to you</Trans>}
        />
      </tbody>
    </table>
  )
}

function Protection({ name, retail, professional }: { name: ReactNode; retail: ReactNode; professional: ReactNode }) {
  const { t } = useLingui()
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <span className="protections-who">{t`Retail Client`}</span>
        {retail}
      </td>
      <td>
        <span className="protections-who">{t`Professional Client`}</span>
        <b className="strong">{professional}</b>
      </td>
    </tr>
  )
}
