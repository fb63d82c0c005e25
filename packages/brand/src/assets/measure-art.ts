import { type Art, compose } from './compose.ts'
import type { Pixels, Rasterizer } from './rasterizer.ts'

const SIZE = 160
/** Alpha from which a pixel shows. */
const VISIBLE = 24
/** Difference of a colour channel from which two colours are two. */
const DIFFERENT = 64
/** Share of pixels that soft edges may spend outside. */
const TOLERANCE = 0.005
/** Radius of the safe zone of maskable icons, as a share of half the width. */
export const SAFE_RADIUS = 0.8

/** How a square picture sits on its ground. */
export type ArtMeasure = {
  /** Nothing of it shows, or it is one colour from edge to edge. */
  readonly isEmpty: boolean
  /** The corners are filled: it brings a ground of its own. */
  readonly isFilled: boolean
  /** Farthest visible point from the centre, as a share of half the width; up to 1.41. */
  readonly radius: number
  /** Of a filled picture: art reaches out of the safe zone. */
  readonly leavesSafeZone: boolean
}

export function measureArt(rasterizer: Rasterizer, art: Art): ArtMeasure {
  const drawing = compose({ width: SIZE, height: SIZE, art, share: 1 })
  const pixels = rasterizer.pixels(drawing, SIZE)
  const corner = colourAt(pixels, 1, 1)
  const isFilled = [
    [1, 1],
    [SIZE - 2, 1],
    [1, SIZE - 2],
    [SIZE - 2, SIZE - 2],
  ].every(([x = 0, y = 0]) => (colourAt(pixels, x, y)[3] ?? 0) >= VISIBLE)
  const isArt = (colour: readonly number[]): boolean =>
    isFilled ? differs(colour, corner) : (colour[3] ?? 0) >= VISIBLE
  const distances = artDistances(pixels, isArt)
  const outside = distances.filter((distance) => distance > SAFE_RADIUS).length
  return {
    isEmpty: distances.length === 0,
    isFilled,
    radius: distances.reduce((most, distance) => Math.max(most, distance), 0),
    leavesSafeZone: isFilled && outside > TOLERANCE * SIZE * SIZE,
  }
}

const colourAt = ({ width, data }: Pixels, x: number, y: number): readonly number[] => {
  const at = (y * width + x) * 4
  return [...data.subarray(at, at + 4)]
}

const differs = (left: readonly number[], right: readonly number[]): boolean =>
  left.some((channel, index) => Math.abs(channel - (right[index] ?? 0)) > DIFFERENT)

/** Distance from the centre of every pixel that belongs to the art, as a share of half the width. */
function artDistances(pixels: Pixels, isArt: (colour: readonly number[]) => boolean): readonly number[] {
  const half = SIZE / 2
  const distances: number[] = []
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      if (isArt(colourAt(pixels, x, y))) distances.push(Math.hypot(x + 0.5 - half, y + 0.5 - half) / half)
    }
  }
  return distances
}
