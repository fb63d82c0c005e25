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

const POLYNOMIAL = 0xedb88320

let knownTable: Uint32Array | undefined

/** Made when first needed, so that an import alone does not pay for it. */
function newTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
    return rest
  })
}

/** CRC-32 (ISO 3309, as in zip and PNG) of a text whose characters are all below 256. */
export function crc32(text: string): number {
  knownTable ??= newTable()
  let rest = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    rest = (rest >>> 8) ^ (knownTable[(rest ^ text.charCodeAt(at)) & 0xff] ?? 0)
  }
  return (rest ^ 0xffffffff) >>> 0
}
