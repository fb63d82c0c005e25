import { isPng } from './png-facts.ts'

/** Kinds of pictures by their first bytes, of which a blank stands for any. */
const beginnings = [
  ['a JPEG', '\u00ff\u00d8\u00ff'],
  ['a GIF', 'GIF8'],
  ['a WebP', 'RIFF    WEBP'],
  ['an AVIF', '    ftypavif'],
  ['a PDF', '%PDF'],
] as const

type PictureKind = (typeof beginnings)[number][0] | 'a PNG' | 'an SVG'

/** Returns the kind of a picture by its first bytes; null if they are those of none. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  if (isPng(bytes)) return 'a PNG'
  const isAt = (text: string): boolean =>
    [...text].every((one, at) => one === ' ' || bytes[at] === one.charCodeAt(0))
  const found = beginnings.find(([, text]) => isAt(text))
  if (found !== undefined) return found[0]
  return /^\uFEFF?\s*</.test(new TextDecoder().decode(bytes.subarray(0, 64))) ? 'an SVG' : null
}
