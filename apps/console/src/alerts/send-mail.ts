import { readFile } from 'node:fs/promises'
import { canParseUrl } from '@hailstone/runtime'
import { CommandLineError, openSecretWarning, writtenText } from '@hailstone/runtime/node'
import type { PostOutcome } from '@hailstone/runtime/webhook'
import { createTransport } from 'nodemailer'

/** A message for people. */
export type MailMessage = {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends one mail, until the signal. A server that refuses it with a code from 500 on refuses it for good. */
export type SendMail = (message: MailMessage, signal?: AbortSignal) => Promise<PostOutcome>

const CONNECT_MS = 5_000
const GREETING_MS = 30_000
/**
 * Longest silence, in ms. A server may take its time between the end of a mail and its answer, as RFC 5321 has it, and one
 * that is not waited for gets the same mail again.
 */
const SILENCE_MS = 10 * 60_000
/** For all of one mail, in ms. */
export const MAIL_MS = 15 * 60_000

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
export function createMail({
  url,
  from,
  connectMs = CONNECT_MS,
}: {
  readonly url: string
  readonly from: string
  /** Longest wait for a connection. @default 5 s */
  readonly connectMs?: number
}): SendMail {
  const { protocol, hostname } = new URL(url)
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1])$/.test(hostname)
  const transport = createTransport({
    url,
    requireTLS: protocol === 'smtp:' && !isHere,
    // Certificates of this machine are for nobody, and what is sent does not leave it.
    ignoreTLS: protocol === 'smtp:' && isHere,
    connectionTimeout: connectMs,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ id, to, subject, text }, signal) => {
    const total = AbortSignal.timeout(MAIL_MS)
    const ended = signal === undefined ? total : AbortSignal.any([signal, total])
    try {
      const messageId = `<${id}@${from.slice(from.indexOf('@') + 1)}>`
      await transport.sendMail({ from, to, subject: lineOf(subject), text, messageId, signal: ended })
      return { isDelivered: true }
    } catch (error) {
      return failureOf(error)
    }
  }
}

/** Answers of the server are not repeated: they may hold anything. */
function failureOf(error: unknown): PostOutcome {
  const { code, responseCode } = Object(error) as {
    readonly code?: unknown
    readonly responseCode?: unknown
  }
  if (typeof responseCode !== 'number')
    return {
      ...{ isDelivered: false, isRefused: false, retryAfterMs: null },
      why: `the mail server was not reached (${String(code ?? 'unknown')})`,
    }
  // Other refusals are about the console, such as its password: they end when it is set right.
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    ...{ isDelivered: false, isRefused: isAboutMail && responseCode >= 500, retryAfterMs: null },
    why: `the mail server answered ${responseCode}`,
  }
}

/**
 * Reads the address of the mail server from a file, since it holds a password.
 *
 * @param warn called with a sentence if others on this machine may read the file
 * @throws {CommandLineError} if file or sender cannot be used; the text of the file is not repeated
 */
export async function readMail(
  { file, from }: { readonly file: string | undefined; readonly from: string | undefined },
  warn: (sentence: string) => void,
): Promise<SendMail | undefined> {
  if (file === undefined && from === undefined) return undefined
  if (file === undefined || from === undefined || !isMailAddress(from))
    throw new CommandLineError('--smtp-file and --mail-from ADDRESS are used together.')
  const url = await readFile(file).then(
    (bytes) => writtenText(bytes).trim(),
    () => '',
  )
  if (!/^smtps?:\/\//.test(url) || !canParseUrl(url))
    throw new CommandLineError(`The file ${file} should hold smtps://user:password@host.`)
  const warning = openSecretWarning(file, 'password')
  if (warning !== null) warn(warning)
  return createMail({ url, from })
}
