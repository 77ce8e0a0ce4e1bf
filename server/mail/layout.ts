/** One layout makes the HTML and the text of every letter, in the firm's brand (mechanics section 9). */
import { brandTokens } from '#rules/brand.ts'
import type { Language } from '../http/problem.ts'
import type { Block, Drawn, Stationery } from './letter.ts'

const closing = {
  en: (support: string) => `Questions? Write to ${support}. We never ask for your password.`,
  de: (support: string) => `Fragen? Schreiben Sie an ${support}. Wir fragen nie nach Ihrem Passwort.`,
}

/** HTML and text of a letter. Every value is escaped; no image, no outside address but the firm's own. */
export function layOut(drawn: Drawn, language: Language, stationery: Stationery): { html: string; text: string } {
  const foot = closing[language](stationery.supportEmail)
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(drawn.subject)}</title></head>
<body style="margin:0;background:#f4f7f8;color:#1c2123;font:16px/24px 'Instrument Sans','Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;width:100%;background:#fff;border:1px solid #dbdfe0;border-radius:8px">
<tr><td style="padding:20px 28px;border-bottom:2px solid ${stationery.brandColour};font-size:17px;font-weight:600">${escape(stationery.firmName)}</td></tr>
<tr><td style="padding:24px 28px 28px">${drawn.blocks.map((block) => htmlOf(block, stationery)).join('\n')}</td></tr>
<tr><td style="padding:16px 28px;border-top:1px solid #dbdfe0;font-size:13px;line-height:18px;color:#53585a">${escape(foot)}</td></tr>
</table></td></tr></table></body></html>`
  const text = [...drawn.blocks.map(textOf), '-- ', stationery.firmName, foot].join('\n\n')
  return { html, text }
}

function htmlOf(block: Block, stationery: Stationery): string {
  if ('heading' in block)
    return `<h1 style="margin:0 0 12px;font-size:22px;line-height:28px;font-weight:600">${escape(block.heading)}</h1>`
  if ('text' in block) return `<p style="margin:0 0 16px">${escape(block.text)}</p>`
  if ('quiet' in block)
    return `<p style="margin:0 0 12px;font-size:13px;line-height:18px;color:#53585a">${escape(block.quiet)}</p>`
  if ('button' in block) {
    // A light brand gets dark words, as on the screens.
    const { light } = brandTokens(stationery.brandColour)
    return `<p style="margin:8px 0 20px"><a href="${escape(block.href)}" style="display:inline-block;padding:12px 20px;border-radius:5px;background:${light.brand};color:${light['on-brand']};font-weight:600;text-decoration:none">${escape(block.button)}</a></p><p style="margin:0 0 16px;font-size:13px;line-height:18px;color:#53585a;word-break:break-all">${escape(block.href)}</p>`
  }
  const rows = block.rows.map(
    ([label, value]) =>
      `<tr><td style="padding:8px 12px 8px 0;border-bottom:1px solid #dbdfe0;color:#53585a">${escape(label)}</td><td align="right" style="padding:8px 0;border-bottom:1px solid #dbdfe0;font-weight:500">${escape(value)}</td></tr>`,
  )
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;font-size:14px">${rows.join('')}</table>`
}

function textOf(block: Block): string {
  if ('heading' in block) return block.heading
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
