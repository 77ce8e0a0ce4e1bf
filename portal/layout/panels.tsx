import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { appearances, type Appearance, chooseAppearance, chosenAppearance } from '#ui/theme/appearance.ts'
import { Help } from './help.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { closePanel, type OpenedPanel } from './panel.ts'
import './panels.css'

/** The panels above any page, also during registration and while waiting for approval. */
export default function Panels({ opened }: { opened: OpenedPanel | null }) {
  const { t } = useLingui()
  return (
    <>
      <Drawer title={t`Help`} isOpen={opened?.name === 'help'} onClose={closePanel}>
        <Help enquiry={opened?.enquiry ?? null} />
      </Drawer>
      <Drawer title={t`Language and appearance`} isOpen={opened?.name === 'display'} onClose={closePanel}>
        <div className="stack-6">
          <LanguageChoice />
          <AppearanceChoice />
        </div>
      </Drawer>
    </>
  )
}

function AppearanceChoice() {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(chosenAppearance)
  const words: Record<Appearance, string> = { system: t`Use device setting`, light: t`Light`, dark: t`Dark` }
  const change = (appearance: Appearance) => {
    setChosen(appearance)
    chooseAppearance(appearance)
  }
  return (
    <RadioCards
      label={t`Appearance on this device`}
      tiles={appearances.map((value) => ({ value, label: words[value] }))}
      value={chosen}
      onValue={change}
    />
  )
}
