import { hasHiddenCharacters, looksLikeAnother } from '@hailstone/brand/check'
import { RefusedError } from './refused-error.ts'

/** Letters and digits of any language, with marks that stand in names and addresses of mail. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@+'-]{0,63}$/u

/** Characters that nobody sees. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u

/**
 * Returns the name by which a person signs in, in one way to write it.
 *
 * @throws {RefusedError} for what nobody can read, or what looks like another name
 */
export function nameOf(text: string): string {
  const name = text.normalize('NFKC').trim()
  if (!NAME.test(name) || IGNORABLE.test(name) || hasHiddenCharacters(name))
    throw new RefusedError(
      400,
      "A name has at most 64 letters, digits, spaces and . _ @ + ' - and begins with a letter or digit.",
    )
  if (looksLikeAnother(name))
    throw new RefusedError(
      400,
      'Each word of a name has letters of one alphabet: Latin, Cyrillic or Greek ones look alike.',
    )
  return name
}
