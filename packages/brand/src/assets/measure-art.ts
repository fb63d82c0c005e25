import { type Art, compose } from './compose.ts'
import type { Pixels, Rasterizer } from './rasterizer.ts'

const SIZE = 160
/** Least alpha of a visible pixel, 0 to 255. */
const VISIBLE = 24
/** Least difference of a colour channel between two distinct colours, 0 to 255. */
const DIFFERENT = 64
/** Share of pixels outside that is tolerated, for soft edges. */
const TOLERANCE = 0.005
/** Radius of the safe zone of maskable icons, as a share of half the width. */
export const SAFE_RADIUS = 0.8

/** Placement of the art in a square picture. */
export type ArtMeasure = {
  /** True if nothing is visible or everything has one colour. */
  readonly isEmpty: boolean
  /** True if the corners are filled: the picture has a background of its own. */
  readonly isFilled: boolean
  /** Farthest visible point from the centre, as a share of half the width; up to 1.41. */
  readonly radius: number
  /** True if the art of a filled picture leaves the safe zone. */
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

/** Returns for every pixel of the art its distance from the centre, as a share of half the width. */
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
