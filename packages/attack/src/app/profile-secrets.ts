import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Secrets that a thief of a browser profile would look for. */
export type Secrets = {
  /** Hex. */
  readonly privateKey: string
  readonly words: readonly string[]
  readonly passphrase: string
}

/** Bytes that are looked for, and what they would be. */
export type Needle = { readonly what: string; readonly bytes: Buffer }

const both = (what: string, text: string): readonly Needle[] => [
  { what: `${what} as UTF-8`, bytes: Buffer.from(text, 'utf8') },
  { what: `${what} as UTF-16`, bytes: Buffer.from(text, 'utf16le') },
]

/**
 * Byte patterns of a key. Compressed files may cut it anywhere and a part would be enough, so one begins at every
 * eighth byte.
 */
function needlesOfKey(hex: string): readonly Needle[] {
  const key = Buffer.from(hex, 'hex')
  const starts = [0, 8, 16, 24]
  return [
    ...starts.map((at) => ({ what: `key, bytes from ${at}`, bytes: key.subarray(at, at + 8) })),
    ...starts.flatMap((at) => both(`key in hex from ${at}`, hex.slice(2 * at, 2 * at + 16))),
    ...both('key in upper case', hex.toUpperCase().slice(0, 32)),
    ...both('key in base64', key.toString('base64').slice(0, 24)),
    ...both('key in base64url', key.toString('base64url').slice(0, 24)),
    ...both('key in decimals', BigInt(`0x${hex}`).toString().slice(0, 32)),
  ]
}

/** Patterns of two neighbouring words. Single words are in the app's word list, neighbours only in the phrase. */
function needlesOfWords(words: readonly string[]): readonly Needle[] {
  const pairs = words.slice(1).map((word, index) => [words[index] ?? '', word] as const)
  return pairs.flatMap(([first, second]) =>
    [' ', '","', '\n', ', '].flatMap((between) => both('words', `${first}${between}${second}`)),
  )
}

/** Shapes that a key, words or passphrase have in the memory of a process: numbers in it lie the other way round. */
export function secretsInMemory({ privateKey, words, passphrase }: Secrets): readonly Needle[] {
  const key = Buffer.from(privateKey, 'hex')
  const limbs = [0, 8, 16, 24].map((at) => ({
    what: `key as a number from ${at}`,
    bytes: Buffer.from(key.subarray(at, at + 8)).reverse(),
  }))
  return [...limbs, ...needlesOfKey(privateKey), ...needlesOfWords(words), ...both('passphrase', passphrase)]
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Searches every file of a profile for secrets and returns those found, with their files. */
export async function secretsInProfile(
  folder: string,
  { privateKey, words, passphrase }: Secrets,
): Promise<{ readonly found: readonly string[]; readonly bytesRead: number }> {
  const needles = [
    ...needlesOfKey(privateKey),
    ...needlesOfWords(words),
    ...both('passphrase', passphrase),
    ...both('passphrase in base64', Buffer.from(passphrase).toString('base64').replace(/=+$/, '')),
    ...both('passphrase in hex', Buffer.from(passphrase).toString('hex')),
  ]
  const found: string[] = []
  let bytesRead = 0
  for (const file of await filesOf(folder)) {
    const content = await readFile(file)
    bytesRead += content.length
    for (const { what, bytes } of needles)
      if (content.includes(bytes)) found.push(`${what} in ${file.slice(folder.length)}`)
  }
  return { found, bytesRead }
}
