import type { Message } from './message.ts'

export interface ProblemText {
  readonly status: number
  readonly text: Message
}

/** Returns rows of the error catalogue with the same status. */
export function problemTexts<Code extends string>(
  status: number,
  texts: Readonly<Record<Code, Message>>,
): Record<Code, ProblemText> {
  const rows = Object.entries<Message>(texts).map(([code, text]) => [code, { status, text }])
  return Object.fromEntries(rows) as Record<Code, ProblemText>
}
