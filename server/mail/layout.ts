/** Renders the layout of all mails as HTML and as text, in the firm's brand (requirements 16.5). */
import { msg } from '#contract/message.ts'
import { brandTokens, type Colours } from '#rules/brand.ts'
import type { Language } from '#rules/choices.ts'
import { translate } from '../i18n/translate.ts'
import type { Block, MailContent, Letterhead } from './template.ts'

const closing = msg`Questions? Email {support}. We never ask for your password.`

/** Renders HTML and text of an email. Every value is escaped; it contains no images and only addresses of the firm. */
export function renderLayout(
  content: MailContent,
  language: Language,
  letterhead: Letterhead,
): { html: string; text: string } {
  const { light, dark } = tokensOf(letterhead.brandColour)
  const { subject, heading = subject } = content
  const h1 = `<h1 style="margin:0 0 12px;font-size:22px;line-height:28px;font-weight:600;text-wrap:balance">${escapeUnbroken(heading)}</h1>`
  const foot = translate(closing, language, { support: letterhead.supportEmail })
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(subject)}</title><style>${darkStyle(dark)}</style></head>
<body class="page" style="margin:0;background:${light.page};color:${light.text};font:16px/24px 'Instrument Sans','Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table class="sheet" role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;width:100%;background:${light.surface};border:1px solid ${light.line};border-radius:8px">
<tr><td class="mark" style="padding:20px 28px;border-bottom:2px solid ${letterhead.brandColour};font-size:17px;font-weight:600">${escape(letterhead.firmName)}</td></tr>
<tr><td style="padding:24px 28px 28px">${[h1, ...content.blocks.map((block) => htmlOf(block, light))].join('\n')}</td></tr>
<tr><td class="line quiet" style="padding:16px 28px;border-top:1px solid ${light.line};font-size:13px;line-height:18px;color:${light['text-2']}">${escapeUnbroken(foot)}</td></tr>
</table></td></tr></table></body></html>`
  const text = [heading, ...content.blocks.map(textOf), '-- ', letterhead.firmName, foot].join('\n\n')
  return { html, text }
}

let cachedTokens: { readonly brand: string; readonly tokens: ReturnType<typeof brandTokens> } | null = null

/** Returns the same colours as the screens, computed once per brand. */
function tokensOf(brand: string): ReturnType<typeof brandTokens> {
  if (cachedTokens?.brand !== brand) cachedTokens = { brand, tokens: brandTokens(brand) }
  return cachedTokens.tokens
}

/** Returns the style sheet for dark mode, which style attributes cannot express. */
function darkStyle(dark: Colours): string {
  const rules = [
    `.page{background:${dark.page}!important;color:${dark.text}!important}`,
    `.sheet{background:${dark.surface}!important}`,
    `.sheet,.line{border-color:${dark.line}!important}`,
    `.mark{border-color:${dark.brand}!important}`,
    `.quiet{color:${dark['text-2']}!important}`,
    `.command{background:${dark.brand}!important;color:${dark['on-brand']}!important}`,
  ]
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}`
}

/** Longer values are sentences, which are left-aligned. */
const figureMax = 36

function htmlOf(block: Block, light: Colours): string {
  const quiet = `font-size:13px;line-height:18px;color:${light['text-2']}`
  if ('text' in block) return `<p style="margin:0 0 16px">${escapeUnbroken(block.text)}</p>`
  if ('quiet' in block) return `<p class="quiet" style="margin:0 0 12px;${quiet}">${escapeUnbroken(block.quiet)}</p>`
  if ('button' in block) {
    // A light brand colour gets dark text, as on the screens.
    return `<p style="margin:8px 0 20px"><a class="command" href="${escape(block.href)}" style="display:inline-block;padding:12px 20px;border-radius:5px;background:${light.brand};color:${light['on-brand']};font-weight:600;text-decoration:none">${escape(block.button)}</a></p><p class="quiet" style="margin:0 0 16px;${quiet};word-break:break-all">${escape(block.href)}</p>`
  }
  const cell = `border-bottom:1px solid ${light.line}`
  const rows = block.rows.map(
    ([label, value]) =>
      `<tr><td class="line quiet" valign="top" style="padding:8px 12px 8px 0;${cell};color:${light['text-2']}">${escape(label)}</td><td class="line" align="${value.length > figureMax ? 'left' : 'right'}" valign="top" style="padding:8px 0;${cell};font-weight:500">${withLineBreaks(escape(value))}</td></tr>`,
  )
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;font-size:14px">${rows.join('')}</table>`
}

const unbrokenLengthMax = 40

/** Keeps the line breaks of an escaped text. */
const withLineBreaks = (html: string) => html.replace(/\r?\n/g, '<br>')

/**
 * Escapes a text, keeps its line breaks, and keeps email addresses and "e-mail" from breaking at a hyphen. Each word is
 * matched from its start, so that the pattern stays linear.
 */
function escapeUnbroken(text: string): string {
  const unbroken = escape(text).replace(/(?<![^\s@])[^\s@]+@[^\s@]+|\be-mail(?:-\p{L}+)*/giu, (word) =>
    word.length > unbrokenLengthMax ? word : `<span style="white-space:nowrap">${word}</span>`,
  )
  return withLineBreaks(unbroken)
}

function textOf(block: Block): string {
  if ('text' in block) return block.text
  if ('quiet' in block) return block.quiet
  if ('button' in block) return `${block.button}:\n${block.href}`
  return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
