import { colourDistance, readOklch, writeOklch } from './oklch.ts'

/** Step of the coarse search in lightness; the first hit is refined. */
const STRIDE = 0.02
const STEP = 0.0025

/**
 * Returns the nearest colour that passes a test. The hue is kept and lightness is searched in both directions; of the
 * two first hits the more similar one wins. Undefined if no lightness passes.
 */
export function nearestColour(colour: string, passes: (candidate: string) => boolean): string | undefined {
  if (passes(colour)) return colour
  const hits = [1, -1]
    .map((direction) => firstHit(colour, direction, passes))
    .filter((hit) => hit !== undefined)
    .sort((left, right) => colourDistance(colour, left) - colourDistance(colour, right))
  return hits[0]
}

function firstHit(
  colour: string,
  direction: number,
  passes: (candidate: string) => boolean,
): string | undefined {
  const { lightness, chroma, hue } = readOklch(colour)
  const at = (distance: number): string =>
    writeOklch({ lightness: lightness + direction * distance, chroma, hue })
  const room = direction > 0 ? 1 - lightness : lightness
  for (let reached = STRIDE; reached < room + STRIDE; reached += STRIDE) {
    if (!passes(at(reached))) continue
    for (let near = reached - STRIDE + STEP; near < reached; near += STEP)
      if (passes(at(near))) return at(near)
    return at(reached)
  }
  return undefined
}
