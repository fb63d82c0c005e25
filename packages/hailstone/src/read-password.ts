import { hiddenIn, writtenText } from '@hailstone/runtime/node'
import { readSecretBytes } from './secret-file.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

type PasswordOptions = { readonly passwordFile?: string | undefined }

const MARK = '\ufeff'

/** The one line of a written text that is not empty, with the spaces in it; null if there are several. */
function soleLine(text: string): string | null {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.length > 1 ? null : (lines[0] ?? '')
}

/** How passwords were read before marks and line ends were dropped: keystores made with those still open. */
const olderReadings = (password: string): readonly string[] => [MARK + password, `${password}\r`]

/** In another encoding `é` would become a password that nobody can type. */
function textOf(bytes: Uint8Array): string {
  try {
    return writtenText(bytes, { fatal: true })
  } catch {
    throw new UsageError('The file of --password-file is not text in UTF-8.')
  }
}

/**
 * The password of a new keystore: from a file, or from whoever sits at the terminal.
 *
 * @throws {UsageError} for a file of several lines, of bytes that are no text, or with a character that nobody sees
 */
export async function readPassword(
  { passwordFile }: PasswordOptions,
  terminal: Terminal,
  question: string,
): Promise<string> {
  if (passwordFile === undefined) return terminal.askSecret(question)
  const password = soleLine(textOf(await readSecretBytes(passwordFile)))
  if (password === null)
    throw new UsageError(`The file of --password-file has several lines: a password is one.`)
  const hidden = hiddenIn(password)
  if (hidden !== null)
    throw new UsageError(
      `The file of --password-file has a character that nobody sees (${hidden}): nobody could type that password. Remove it.`,
    )
  return password
}

/** The passwords that may open a keystore, likeliest first: one text was read in several ways by earlier versions. */
export async function passwordReadings(
  { passwordFile }: PasswordOptions,
  terminal: Terminal,
): Promise<readonly [string, ...string[]]> {
  if (passwordFile === undefined) {
    const typed = await terminal.askSecret('Password: ')
    return [typed, ...olderReadings(typed)]
  }
  const bytes = await readSecretBytes(passwordFile)
  const whole = bytes.toString('utf8').replace(/\r?\n$/, '')
  const line = soleLine(writtenText(bytes))
  if (line === null) return [whole]
  return [line, ...new Set([whole, ...olderReadings(line)].filter((reading) => reading !== line))]
}
