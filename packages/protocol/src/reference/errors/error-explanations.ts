import type { ErrorCode } from '../../errors/facts.ts'
import { apiExplanations } from './api-explanations.ts'
import { coreExplanations } from './core-explanations.ts'
import type { ErrorExplanations } from './error-explanation.ts'
import { hostExplanations } from './host-explanations.ts'
import { keystoreExplanations } from './keystore-explanations.ts'
import { paymentExplanations } from './payment-explanations.ts'

/** Title, hint, causes and fixes of every error code. Too large for pages, which get it from the documentation. */
export const errorExplanations: ErrorExplanations<ErrorCode> = {
  ...coreExplanations,
  ...apiExplanations,
  ...keystoreExplanations,
  ...paymentExplanations,
  ...hostExplanations,
}
