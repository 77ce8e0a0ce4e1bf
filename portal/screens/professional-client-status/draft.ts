/** The wizard's answers survive a reload, in this tab and for their owner alone (requirements 2.19). */
import { useCallback, useState } from 'react'
import * as z from 'zod/mini'
import { tradeCounts, yesNo } from '#rules/choices.ts'
import { useClient } from '../../session.ts'

const answer = z.optional(z.enum(yesNo))
const draft = z.object({
  step: z.literal([1, 2, 3, 4, 5]),
  ticked: z.boolean(),
  answers: z.object({
    question01: answer,
    question02: z.optional(z.enum(tradeCounts)),
    question03: answer,
    question04: answer,
    question05: z.optional(z.string()),
    question06: z.optional(z.string()),
    question07: answer,
    question08: z.optional(z.string()),
  }),
})
export type ProfessionalDraft = z.output<typeof draft>

export function useProfessionalDraft() {
  const name = `portal.professional.${useClient()?.id ?? ''}`
  const [kept] = useState(() => read(name))
  const keepDraft = useCallback(
    (value: ProfessionalDraft) => sessionStorage.setItem(name, JSON.stringify(value)),
    [name],
  )
  const forgetDraft = useCallback(() => sessionStorage.removeItem(name), [name])
  return { draft: kept, keepDraft, forgetDraft }
}

function read(name: string): ProfessionalDraft | null {
  const text = sessionStorage.getItem(name)
  const found = draft.safeParse(text === null ? null : JSON.parse(text))
  return found.success ? found.data : null
}
