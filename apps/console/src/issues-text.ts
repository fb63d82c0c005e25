import type { z } from 'zod'

/** Returns what is wrong with an input, each fault with the field that it is about. */
export const issuesText = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')
