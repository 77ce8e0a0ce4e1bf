import type { SettingPreview } from '#contract/office/settings.ts'
import { Trans } from '@lingui/react/macro'

const shown = [
  'brand',
  'on-brand',
  'brand-text',
  'brand-tint',
  'brand-line',
  'focus',
  'ink',
  'on-ink',
  'page',
  'surface',
  'text',
  'line',
]

/** The colours that the brand colour resolves to, light beside dark, as the server computes them. */
export function ColoursPreview({ colours }: { colours: SettingPreview['colours'] }) {
  if (!colours)
    return (
      <p className="muted">
        <Trans>Change the colour to preview it. Text contrast is adjusted automatically.</Trans>
      </p>
    )
  return (
    <ul className="setting-swatches">
      {shown.map((token) => {
        const pair = colours[token]
        if (!pair) return null
        return (
          <li key={token}>
            <svg width="40" height="20" role="img" aria-label={`${token}: ${pair.light}, ${pair.dark}`}>
              <rect width="20" height="20" fill={pair.light} />
              <rect x="20" width="20" height="20" fill={pair.dark} />
            </svg>
            <span className="muted size-12">{token}</span>
          </li>
        )
      })}
    </ul>
  )
}
