import { useLingui } from '@lingui/react/macro'

interface KeyNames {
  readonly control: string
  readonly home: string
  readonly end: string
  readonly space: string
}

/** Returns the keys whose names differ by keyboard: a German one has Strg, Pos1, Ende and Leertaste. */
export function useKeyNames(): KeyNames {
  const { t } = useLingui()
  return {
    control: t({ message: 'ctrl', context: 'key' }),
    home: t({ message: 'home', context: 'key' }),
    end: t({ message: 'end', context: 'key' }),
    space: t({ message: 'space', context: 'key' }),
  }
}
