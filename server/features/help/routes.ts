/** The firm's contact details, opening hours and answers (requirements 24.14). */
import { showHelp } from '#contract/help.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'

export function helpRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(showHelp, async ({ settings }, { language }) => {
    const { supportEmail } = await settings.get('firm')
    const { phone, hours, answers } = await settings.get('help')
    return {
      email: supportEmail,
      phone,
      hours: hours[language],
      answers: answers.map(({ question, answer }) => ({ question: question[language], answer: answer[language] })),
    }
  })
}
