/** Labels of what compliance reviews about clients. */
import { msg } from '../message.ts'

export const reviewLabels = {
  documentsExpiring: msg`Documents expiring within 30 days`,
  sourceOfWealth: msg`Source of wealth open`,
  paymentsOnHold: msg`Payments on hold`,
}
