import { crc32 } from './crc32.ts'

const SEALED = /^[0-9a-f]{8} \{[\x20-\x7e]*\}$/

/** Escapes what is not plain ASCII, so that one character is one byte in every store. */
const asciiJson = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** One journal record as a line: checksum, blank, JSON object in ASCII. */
export function sealLine(json: string): string {
  const text = asciiJson(json)
  return `${checksum(text)} ${text}`
}

/** The JSON of a line; null when the line is not what was written. */
export function openLine(line: string): string | null {
  if (!SEALED.test(line)) return null
  const text = line.slice(9)
  return line.startsWith(checksum(text)) ? text : null
}
