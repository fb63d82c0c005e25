const HEADER_BYTES = 6
const ENTRY_BYTES = 16

/**
 * Packs PNGs into a Windows icon.
 *
 * Source: ICONDIR and ICONDIRENTRY of the ICO format; size 0 stands for 256.
 */
export function packIco(
  pictures: readonly { readonly size: number; readonly png: Uint8Array }[],
): Uint8Array {
  const start = HEADER_BYTES + ENTRY_BYTES * pictures.length
  const total = pictures.reduce((sum, { png }) => sum + png.length, start)
  const bytes = new Uint8Array(total)
  const view = new DataView(bytes.buffer)
  view.setUint16(2, 1, true)
  view.setUint16(4, pictures.length, true)
  let offset = start
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = HEADER_BYTES + ENTRY_BYTES * index
    view.setUint8(entry, size % 256)
    view.setUint8(entry + 1, size % 256)
    view.setUint16(entry + 4, 1, true)
    view.setUint16(entry + 6, 32, true)
    view.setUint32(entry + 8, png.length, true)
    view.setUint32(entry + 12, offset, true)
    bytes.set(png, offset)
    offset += png.length
  }
  return bytes
}
