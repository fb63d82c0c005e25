import { type Finding, finding } from '../findings/finding.ts'
import { artSlots } from '../layers/resolved-brand.ts'
import type { BrandFiles, Rule } from './check-context.ts'
import { pictureKind } from './picture-kind.ts'
import { readPngFacts } from './png-facts.ts'
import { readSvg } from './svg-rules.ts'

const MAX_BYTES = 200_000
/** Drawings of slots are loaded by people, the others by a build alone. */
const MAX_ART_BYTES = 30_000
const MIN_PIXELS = 1_024

/** Returns the size in bytes up to which the picture of a setting is accepted. */
export const maxPictureBytes = (path: string): number =>
  path.startsWith('assets.art.') ? MAX_ART_BYTES : MAX_BYTES

type Shape = 'free' | 'square' | 'card'

const shapes = {
  logo: 'free',
  logoDark: 'free',
  icon: 'square',
  mark: 'square',
  socialCard: 'card',
} as const satisfies Readonly<Record<string, Shape>>

/** Rules for pictures. */
export const assetRules: Rule = ({ brand, files }) => [
  ...(Object.keys(shapes) as (keyof typeof shapes)[]).flatMap((name) => {
    const file = brand.assets[name]
    return file === null ? [] : pictureFindings({ path: `assets.${name}`, file, files, shape: shapes[name] })
  }),
  ...artSlots.flatMap((slot) => {
    const file = brand.assets.art[slot]
    if (file === null) return []
    return pictureFindings({ path: `assets.art.${slot}`, file, files, shape: 'free' })
  }),
]

type Picture = {
  readonly path: string
  readonly file: string
  readonly files: BrandFiles
  readonly shape: Shape
}

function pictureFindings({ path, file, files, shape }: Picture): readonly Finding[] {
  const bytes = files.get(file)
  if (bytes === undefined) return [finding('asset-missing', { path, found: `no file ${file}` })]
  if (bytes.length > maxPictureBytes(path)) {
    return [finding('asset-too-large', { path, found: `${bytes.length} bytes` })]
  }
  const kind = pictureKind(bytes)
  if (file.endsWith('.png') ? kind !== 'a PNG' : kind !== null && kind !== 'an SVG') {
    return [finding('asset-type-differs', { path, ...typeFacts(file, kind) })]
  }
  return file.endsWith('.png') ? pngFindings(path, bytes, shape) : svgFindings(path, bytes, shape)
}

function typeFacts(file: string, kind: ReturnType<typeof pictureKind>) {
  if (kind !== 'a PNG' && kind !== 'an SVG')
    return {
      expected: kind === null ? 'a PNG, as the ending says' : 'an SVG or a PNG',
      found: kind ?? 'no PNG',
      fix: 'Export the picture as SVG or PNG.',
    }
  return { expected: file.endsWith('.png') ? 'a PNG' : 'an SVG', found: kind }
}

type Size = { readonly width: number; readonly height: number }

function svgFindings(path: string, bytes: Uint8Array, shape: Shape): readonly Finding[] {
  const { facts, findings } = readSvg(new TextDecoder().decode(bytes), path)
  return facts === null ? findings : [...findings, ...shapeFindings(path, facts, shape)]
}

function pngFindings(path: string, bytes: Uint8Array, shape: Shape): readonly Finding[] {
  const facts = readPngFacts(bytes)
  if (facts === null) return [finding('png-malformed', { path, found: 'no usable header' })]
  const tooSmall = facts.width < MIN_PIXELS
  const found = `${facts.width} × ${facts.height}`
  return [
    ...(tooSmall ? [finding('png-too-small', { path, found })] : []),
    ...shapeFindings(path, facts, shape),
  ]
}

function shapeFindings(path: string, { width, height }: Size, shape: Shape): readonly Finding[] {
  const found = `${width} × ${height}`
  const differsFrom = (ratio: number): boolean => Math.abs(width / height / ratio - 1) > 0.01
  if (shape === 'square' && differsFrom(1)) return [finding('icon-not-square', { path, found })]
  if (shape === 'card' && differsFrom(1200 / 630)) return [finding('social-card-size', { path, found })]
  return []
}
