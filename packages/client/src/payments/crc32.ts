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
