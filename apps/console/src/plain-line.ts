import { z } from 'zod'

/** Text on one line that is read as it stands: without control and format characters and halves of a pair. */
export const plainLine = (most: number) =>
  z
    .string()
    .trim()
    .regex(
      new RegExp(`^[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]{1,${most}}$`, 'u'),
      `1 to ${most} characters on one line, without control or format characters`,
    )
