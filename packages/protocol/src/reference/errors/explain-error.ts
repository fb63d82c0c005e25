import { isNodeError } from '../../errors/node-error.ts'
import type { ErrorExplanation } from './error-explanation.ts'
import { errorExplanations } from './error-explanations.ts'

/**
 * Returns title, hint, causes and fixes of an error that the packages threw, with the address of its page; null for any
 * other value, and for a code that this copy of the package does not have.
 *
 * @example
 * const advice = explainError(error)
 * if (advice !== null) console.error(`${advice.title}. ${advice.hint}`)
 */
export function explainError(error: unknown): (ErrorExplanation & { readonly docsUrl: string }) | null {
  if (!isNodeError(error) || !Object.hasOwn(errorExplanations, error.code)) return null
  return { ...errorExplanations[error.code], docsUrl: error.docsUrl }
}
