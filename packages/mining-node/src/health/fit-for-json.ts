import { factsText } from './facts-text.ts'

/**
 * Makes an answer fit for `JSON.stringify`, which refuses amounts: in JSON they are texts of units, and errors are
 * codes and sentences. The answer itself keeps its values.
 */
export function fitForJson<T extends object>(answer: T): T {
  const toJSON = (): unknown => JSON.parse(factsText({ ...answer }))
  return Object.defineProperty(answer, 'toJSON', { value: toJSON })
}
