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

/** Step 1: what is lost comes before what is gained. Without the tick a dialog asks once more. */
export function Disclosure({ ticked, onTick, onNext }: DisclosureProps) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  return (
    <div className="professional-disclosure">
      <StepHeader level={2} title={<Trans>What you give up</Trans>}>
        <Trans>Read this before you decide. You can ask to become a retail client again at any time.</Trans>
      </StepHeader>
      <Protections />
      <div className="stack professional-words">
        <p>
          <Trans>
            As a professional client you are taken to have the experience and knowledge to judge the risks of each trade
            yourself, and to be able to bear the losses. We need not warn you as we warn retail clients, and we need not
            check whether each product suits you.
          </Trans>
        </p>
        <p>
          <Trans>
            Your money stays client money and is kept apart from ours. What changes is how much you can lose, and whom
            you can turn to when something goes wrong.
          </Trans>
        </p>
      </div>
      <Checkbox look="tile" checked={ticked} onChange={(event) => onTick(event.target.checked)}>
        <Trans>I have read what I give up, and I want to be treated as a professional client.</Trans>
      </Checkbox>
      <footer className="wizard-footer">
        <ButtonLink href={portalPaths.home}>
          <Trans>Leave</Trans>
        </ButtonLink>
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
            <Button kind="quiet" onClick={() => setAsking(false)}>
              <Trans>Read it again</Trans>
            </Button>
            <Button kind="primary" onClick={onNext}>
              <Trans>I have read it, go on</Trans>
            </Button>
          </>
        }
      >
        <p className="muted">
          <Trans>
            You have not ticked the declaration. Confirm that you have read what you give up and want to be treated as a
            professional client, or go back and read again.
          </Trans>
        </p>
      </Dialog>
    </div>
  )
}

function Protections() {
  const retail = leverageText(retailLeverage)
  const most = leverageText(Math.max(...professionalLeverages))
  return (
    <table className="protections">
      <thead>
        <tr>
          <th scope="col">
            <Trans>Protection</Trans>
          </th>
          <th scope="col">
            <Trans>Retail Client</Trans>
          </th>
          <th scope="col">
            <Trans>Professional Client</Trans>
          </th>
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
          name={<Trans>Close-out</Trans>}
          retail={<Trans>At half of the required margin</Trans>}
          professional={<Trans>At a level the firm sets</Trans>}
        />
        <Protection
          name={<Trans>Risk warnings</Trans>}
          retail={<Trans>Standard warning with loss figures</Trans>}
          professional={<Trans>Need not be shown</Trans>}
        />
        <Protection
          name={<Trans>How we write to you</Trans>}
          retail={<Trans>In plain words for everybody</Trans>}
          professional={<Trans>As to somebody with experience</Trans>}
        />
        <Protection
          name={<Trans>Ombudsman</Trans>}
          retail={<Trans>Open to you</Trans>}
          professional={<Trans>May not be open to you</Trans>}
        />
      </tbody>
    </table>
  )
}

function Protection({ name, retail, professional }: { name: ReactNode; retail: ReactNode; professional: ReactNode }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <span className="protections-who">
          <Trans>Retail Client</Trans>
        </span>
        {retail}
      </td>
      <td>
        <span className="protections-who">
          <Trans>Professional Client</Trans>
        </span>
        <b className="strong">{professional}</b>
      </td>
    </tr>
  )
}
