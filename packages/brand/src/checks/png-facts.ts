const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const
const HEADER_SIZE = 24
/** Limit of width and height in pixels: a small file can unpack into a picture of a gigabyte. */
const LARGEST = 4_096

export type PngFacts = { readonly width: number; readonly height: number }

export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.every((byte, index) => bytes[index] === byte)

/**
 * Reads width and height of a PNG from its header; null if it has none.
 *
 * Source: PNG specification, third edition, 5.2 and 11.2.2.
 */
export function readPngFacts(bytes: Uint8Array): PngFacts | null {
  if (!isPng(bytes) || bytes.length < HEADER_SIZE) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(12) !== 0x49484452) return null
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  return width > 0 && height > 0 && Math.max(width, height) <= LARGEST ? { width, height } : null
}
