/**
 * Derives every colour of both apps from one brand colour (requirements 36.1). Lightness and hue are kept in OKLCH,
 * chroma is reduced at the limit of sRGB, and each text's lightness is chosen so that it has its contrast on every
 * surface that it is used on.
 */

export type ColourToken =
  | 'page'
  | 'surface'
  | 'sunken'
  | 'hover'
  | 'raised'
  | 'line'
  | 'line-2'
  | 'text'
  | 'text-2'
  | 'text-3'
  | 'control'
  | 'brand'
  | 'on-brand'
  | 'brand-hover'
  | 'brand-text'
  | 'brand-tint'
  | 'brand-tint-2'
  | 'brand-line'
  | 'focus'
  | 'ink'
  | 'ink-2'
  | 'ink-line'
  | 'on-ink'
  | 'on-ink-2'
  | `${StatusHue}${'' | '-tint' | '-line' | '-solid'}`
  | `on-${StatusHue}`

export type Colours = Record<ColourToken, string>
type StatusHue = 'ok' | 'wait' | 'bad' | 'run'

/** Hue in degrees and chroma of the four status colours; the brand never changes them. */
const statusHues: Record<StatusHue, readonly [hue: number, chroma: number]> = {
  ok: [155, 0.115],
  wait: [70, 0.115],
  bad: [25, 0.16],
  run: [262, 0.12],
}

const brandPattern = /^#[0-9a-f]{6}$/i

/** Returns every colour token, light and dark, of a brand colour written as "#rrggbb". Throws on another form. */
export function brandTokens(brand: string): { light: Colours; dark: Colours } {
  if (!brandPattern.test(brand)) throw new Error(`A brand colour must have the form #rrggbb, not ${brand}`)
  return { light: lightColours(brand), dark: darkColours(brand) }
}

/**
 * Returns the stylesheet that the server serves as `/brand-{hash}.css`; dark follows the device unless the reader has
 * chosen.
 */
export function brandStylesheet(brand: string): string {
  const { light, dark } = brandTokens(brand)
  const inDark =
    `color-scheme:dark;${declarations(dark)}` +
    `--shadow-float:0 0 0 1px ${dark['line-2']},0 12px 40px rgb(0 0 0/.5);--scrim:rgb(0 0 0/.62)`
  return [
    `:root{color-scheme:light;${declarations(light)}`,
    '--shadow-float:0 1px 2px rgb(10 20 30/.08),0 8px 28px rgb(10 20 30/.14);--scrim:rgb(12 20 26/.48)}',
    `\n@media (prefers-color-scheme:dark){:root:not([data-appearance=light]){${inDark}}}`,
    `\n:root[data-appearance=dark]{${inDark}}\n`,
  ].join('')
}

function declarations(colours: Colours): string {
  return Object.entries(colours)
    .map(([token, colour]) => `--${token}:${colour};`)
    .join('')
}

function lightColours(brand: string): Colours {
  const [lightness, chroma, hue] = oklchOf(brand)
  const neutralChroma = Math.min(chroma * 0.055, 0.0048)
  const neutral = (level: number, strength = 1) => hexOf(level, neutralChroma * strength, hue)
  const page = neutral(0.974)
  const surface = '#ffffff'
  const sunken = neutral(0.952, 1.1)
  const hover = neutral(0.962)
  const grounds = [page, surface, sunken, hover]
  const tint = hexOf(0.962, Math.min(chroma, 0.09) * 0.15, hue)
  const tint2 = hexOf(0.925, Math.min(chroma, 0.09) * 0.3, hue)
  // A light brand colour (yellow) is kept, with dark text on the button.
  const lightBrand = lightness > 0.75
  const command = lightBrand ? hexOf(lightness, chroma, hue) : solve(lightness, chroma, hue, ['#ffffff'], 4.6, -1)
  const ink = hexOf(0.255, Math.min(chroma * 0.55, 0.045), hue)
  const ink2 = hexOf(0.31, Math.min(chroma * 0.55, 0.05), hue)
  return {
    page,
    surface,
    sunken,
    hover,
    raised: '#ffffff',
    line: neutral(0.9, 1.2),
    'line-2': neutral(0.845, 1.3),
    text: neutral(0.245, 2),
    'text-2': solve(0.46, neutralChroma * 1.7, hue, grounds, 6.2, -1),
    'text-3': solve(0.56, neutralChroma * 1.6, hue, [...grounds, tint], 4.6, -1),
    control: solve(0.68, neutralChroma * 1.6, hue, grounds, 3.1, -1),
    brand: command,
    'on-brand': lightBrand ? hexOf(0.2, 0.03, hue) : '#ffffff',
    'brand-hover': lightBrand ? hexOf(lightness - 0.04, chroma, hue) : hexOf(oklchOf(command)[0] - 0.055, chroma, hue),
    'brand-text': solve(Math.min(lightness, 0.52), chroma, hue, [...grounds, tint, tint2], 4.6, -1),
    'brand-tint': tint,
    'brand-tint-2': tint2,
    'brand-line': hexOf(0.82, Math.min(chroma, 0.1) * 0.6, hue),
    focus: solve(Math.min(lightness, 0.55), Math.max(chroma, 0.05), hue, [...grounds, tint], 4.5, -1),
    ink,
    'ink-2': ink2,
    'ink-line': hexOf(0.4, Math.min(chroma * 0.5, 0.05), hue),
    'on-ink': hexOf(0.97, 0.005, hue),
    'on-ink-2': solve(0.7, 0.02, hue, [ink, ink2], 5.2, 1),
    ...statusColours((statusChroma, statusHue) => {
      const statusTint = hexOf(0.965, statusChroma * 0.2, statusHue)
      return {
        tint: statusTint,
        line: hexOf(0.84, statusChroma * 0.6, statusHue),
        word: solve(0.56, statusChroma, statusHue, [...grounds, statusTint], 4.7, -1),
        on: '#ffffff',
      }
    }),
  }
}

function darkColours(brand: string): Colours {
  const [, chroma, hue] = oklchOf(brand)
  const neutralChroma = Math.min(chroma * 0.055, 0.0048)
  const neutral = (level: number, strength: number) => hexOf(level, neutralChroma * strength, hue)
  const page = neutral(0.175, 1.5)
  const surface = neutral(0.213, 1.6)
  const sunken = neutral(0.15, 1.4)
  const hover = neutral(0.245, 1.7)
  const raised = neutral(0.252, 1.7)
  const grounds = [page, surface, sunken, hover, raised]
  const tint = hexOf(0.262, Math.min(chroma, 0.09) * 0.42, hue)
  const tint2 = hexOf(0.31, Math.min(chroma, 0.09) * 0.6, hue)
  const onBrand = hexOf(0.17, 0.03, hue)
  const command = solve(0.76, Math.min(chroma, 0.12) * 1.05, hue, [onBrand], 6.5, 1)
  const ink = hexOf(0.165, Math.min(chroma * 0.4, 0.03), hue)
  const ink2 = hexOf(0.215, Math.min(chroma * 0.4, 0.03), hue)
  return {
    page,
    surface,
    sunken,
    hover,
    raised,
    line: neutral(0.305, 1.8),
    'line-2': neutral(0.37, 1.9),
    text: neutral(0.945, 0.6),
    'text-2': solve(0.74, neutralChroma * 1.2, hue, grounds, 6.2, 1),
    'text-3': solve(0.6, neutralChroma * 1.3, hue, [...grounds, tint], 4.6, 1),
    control: solve(0.4, neutralChroma * 1.6, hue, grounds, 3.1, 1),
    brand: command,
    'on-brand': onBrand,
    'brand-hover': hexOf(oklchOf(command)[0] + 0.05, Math.min(chroma, 0.12), hue),
    'brand-text': solve(0.78, Math.min(chroma, 0.13), hue, [...grounds, tint, tint2], 4.6, 1),
    'brand-tint': tint,
    'brand-tint-2': tint2,
    'brand-line': hexOf(0.42, Math.min(chroma, 0.1) * 0.7, hue),
    focus: solve(0.8, Math.max(chroma, 0.05), hue, [...grounds, tint], 4.5, 1),
    ink,
    'ink-2': ink2,
    'ink-line': hexOf(0.31, Math.min(chroma * 0.4, 0.03), hue),
    'on-ink': neutral(0.95, 0.6),
    'on-ink-2': solve(0.7, neutralChroma, hue, [ink, ink2], 5.2, 1),
    ...statusColours((statusChroma, statusHue) => {
      const statusTint = hexOf(0.25, statusChroma * 0.27, statusHue)
      return {
        tint: statusTint,
        line: hexOf(0.42, statusChroma * 0.6, statusHue),
        word: solve(0.76, statusChroma * 0.9, statusHue, [...grounds, statusTint], 4.7, 1),
        on: hexOf(0.17, 0.02, statusHue),
      }
    }),
  }
}

type StatusTokens = Pick<Colours, Extract<ColourToken, `${StatusHue}${string}` | `on-${StatusHue}`>>

function statusColours(
  draw: (chroma: number, hue: number) => { tint: string; line: string; word: string; on: string },
): StatusTokens {
  const tokens: Partial<Record<ColourToken, string>> = {}
  for (const name of Object.keys(statusHues) as StatusHue[]) {
    const [hue, chroma] = statusHues[name]
    const drawn = draw(chroma, hue)
    tokens[`${name}-tint`] = drawn.tint
    tokens[`${name}-line`] = drawn.line
    tokens[name] = drawn.word
    tokens[`${name}-solid`] = drawn.word
    tokens[`on-${name}`] = drawn.on
  }
  return tokens as StatusTokens
}

/** Returns the lightness nearest to `start`, going darker (-1) or lighter (1), that reaches `ratio` on every ground. */
function solve(
  start: number,
  chroma: number,
  hue: number,
  grounds: string[],
  ratio: number,
  direction: 1 | -1,
): string {
  for (let lightness = start; lightness >= 0 && lightness <= 1; lightness += direction * 0.0025) {
    const colour = hexOf(lightness, chroma, hue)
    if (grounds.every((ground) => contrast(colour, ground) >= ratio)) return colour
  }
  return direction < 0 ? '#000000' : '#ffffff'
}

/** Returns the WCAG 2 contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = linearOf(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

type Triple = [number, number, number]

function linearOf(hex: string): Triple {
  const channel = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** Returns lightness 0 to 1, chroma, and hue in degrees (Björn Ottosson's OKLab matrices). */
function oklchOf(hex: string): Triple {
  const [red, green, blue] = linearOf(hex)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return [lightness, Math.hypot(a, b), ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360]
}

function linearOfOklch(lightness: number, chroma: number, hue: number): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

/** Returns the sRGB colour; lightness and hue are kept, chroma is reduced until the colour is in gamut. */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const shown = (tried: number) =>
    linearOfOklch(lightness, tried, hue).every((value) => value >= -0.0005 && value <= 1.0005)
  let within = chroma
  if (!shown(chroma)) {
    within = 0
    let beyond = chroma
    for (let round = 0; round < 24; round++) {
      const middle = (within + beyond) / 2
      if (shown(middle)) within = middle
      else beyond = middle
    }
  }
  const digits = linearOfOklch(lightness, within, hue).map((value) => {
    const positive = Math.max(0, value)
    const gamma = positive <= 0.0031308 ? 12.92 * positive : 1.055 * positive ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, gamma) * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${digits.join('')}`
}
