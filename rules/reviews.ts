/** What compliance reviews about clients, beside the queues (requirements 24.93). */
export const reviews = ['documentsExpiring', 'sourceOfWealth', 'paymentsOnHold'] as const
export type Review = (typeof reviews)[number]
