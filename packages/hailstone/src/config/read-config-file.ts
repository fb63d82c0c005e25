import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { systemCause, writtenText } from '@hailstone/runtime/node'
import { parse as parseToml, TomlError } from 'smol-toml'
import { configFailure } from './config-failure.ts'

/** Settings as they were written: no value was looked at yet. */
export type ConfigTable = Readonly<Record<string, unknown>>

const MAX_BYTES = 65_536
const MAX_DEPTH = 8
const WRITABLE_BY_ALL = 0o002

/**
 * Reads a configuration file. Links are followed, since that is how folders of settings are replaced as a whole; what
 * is judged is the file that was opened.
 *
 * @throws {CommandFailure} that names the file and no value in it
 */
export async function readConfigFile(given: string): Promise<ConfigTable> {
  const path = resolve(given)
  const parse = parsers[extname(path).toLowerCase()]
  if (parse === undefined)
    throw configFailure(`${path} is not read: a configuration file ends in .toml or .json.`)
  const table = parse(await textOf(path), path)
  if (typeof table === 'object' && table !== null && !Array.isArray(table)) return table as ConfigTable
  throw configFailure(`${path} should hold a table of settings.`)
}

async function textOf(path: string): Promise<string> {
  // A pipe without a writer would be waited for.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (cause: NodeJS.ErrnoException) => {
      throw configFailure(`${path} cannot be opened: ${systemCause(String(cause.code))}.`)
    },
  )
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw configFailure(`${path} is not a file.`)
    if ((found.mode & WRITABLE_BY_ALL) !== 0 && process.platform !== 'win32')
      throw configFailure(
        `Everybody can write to ${path}, and with it choose keys and addresses.`,
        'chmod o-w',
      )
    // Read with a limit of its own: a file may grow, and some say that they are empty.
    const buffer = Buffer.alloc(MAX_BYTES + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await handle.read(buffer, length, buffer.length - length, length)).bytesRead
    if (length > MAX_BYTES) throw configFailure(`${path} is longer than ${MAX_BYTES} bytes.`)
    return writtenText(buffer.subarray(0, length), { fatal: true })
  } catch (cause) {
    if (cause instanceof TypeError) throw configFailure(`${path} is not text in UTF-8.`)
    throw cause
  } finally {
    await handle.close()
  }
}

const parsers: Readonly<Record<string, (text: string, path: string) => unknown>> = {
  '.toml': (text, path) => {
    try {
      return parseToml(text, { maxDepth: MAX_DEPTH })
    } catch (cause) {
      // Its message quotes the lines around the fault, and those may hold a secret.
      const place = cause instanceof TomlError ? `, line ${cause.line}, column ${cause.column}` : ''
      throw configFailure(`${path}${place}: this is not TOML.`)
    }
  },
  '.json': (text, path) => {
    try {
      return JSON.parse(text)
    } catch {
      // Newer engines quote the text in the message.
      throw configFailure(`${path}: this is not JSON.`)
    }
  },
}
