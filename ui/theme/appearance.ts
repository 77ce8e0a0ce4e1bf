/**
 * Light, dark, or the device's setting: stored on this device (requirements 24.14). The style sheets use the attribute.
 */
export const appearances = ['system', 'light', 'dark'] as const
export type Appearance = (typeof appearances)[number]

const storageKey = 'appearance'

/** Returns the choice stored on this device. */
export function storedAppearance(): Appearance {
  const kept = localStorage.getItem(storageKey)
  return appearances.find((one) => one === kept) ?? 'system'
}

export function chooseAppearance(appearance: Appearance): void {
  if (appearance === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, appearance)
  applyAppearance()
}

/** Applies the choice to the page. */
export function applyAppearance(): void {
  const appearance = storedAppearance()
  if (appearance === 'system') delete document.documentElement.dataset['appearance']
  else document.documentElement.dataset['appearance'] = appearance
}
