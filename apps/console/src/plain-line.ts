import { hasHiddenCharacters } from '@hailstone/brand/check'
import { z } from 'zod'

/** Text on one line in which nothing is hidden. Joiners stand only where a script or an emoji needs them. */
export const plainLine = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .refine(
      (text) => [...text].length <= most && !hasHiddenCharacters(text),
      `1 to ${most} characters on one line, none of them hidden`,
    )
