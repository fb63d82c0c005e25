import { readFile } from 'node:fs/promises'
import { canParseUrl } from '@hailstone/runtime'
import { CommandLineError } from '@hailstone/runtime/node'
import { createTransport } from 'nodemailer'

/** A message for people. */
export type MailMessage = {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends one mail. Resolves with the reason why the server did not take it; null if it did. */
export type SendMail = (message: MailMessage) => Promise<string | null>

const TIMEOUT_MS = 5_000

/** Addresses of people, as a mail server takes them. Not all that RFC 5321 allows, and nothing that ends a header. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/.test(text)

/** A header is one line. */
const lineOf = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/**
 * Creates the sender of a mail server.
 *
 * @param parameters.url `smtps://user:password@host` or `smtp://host`, which has to offer TLS unless it is this machine
 */
export function createMail({ url, from }: { readonly url: string; readonly from: string }): SendMail {
  const { protocol, hostname } = new URL(url)
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1])$/.test(hostname)
  const transport = createTransport({
    url,
    requireTLS: protocol === 'smtp:' && !isHere,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ id, to, subject, text }) => {
    try {
      const messageId = `<${id}@${from.slice(from.indexOf('@') + 1)}>`
      await transport.sendMail({ from, to, subject: lineOf(subject), text, messageId })
      return null
    } catch (error) {
      // Answers of the server are not repeated: they may hold anything.
      const { code, responseCode } = Object(error) as {
        readonly code?: unknown
        readonly responseCode?: unknown
      }
      return typeof responseCode === 'number'
        ? `the mail server answered ${responseCode}`
        : `the mail server was not reached (${String(code ?? 'unknown')})`
    }
  }
}

/**
 * Reads the address of the mail server from a file, since it holds a password.
 *
 * @throws {CommandLineError} if file or sender cannot be used; the text of the file is not repeated
 */
export async function readMail({
  file,
  from,
}: {
  readonly file: string | undefined
  readonly from: string | undefined
}): Promise<SendMail | undefined> {
  if (file === undefined && from === undefined) return undefined
  if (file === undefined || from === undefined || !isMailAddress(from))
    throw new CommandLineError('--smtp-file and --mail-from ADDRESS are used together.')
  const url = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )
  if (!/^smtps?:\/\//.test(url) || !canParseUrl(url))
    throw new CommandLineError(`The file ${file} should hold smtps://user:password@host.`)
  return createMail({ url, from })
}
