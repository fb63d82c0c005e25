import { colourDistance, readOklch, writeOklch } from './oklch.ts'

const STEP = 0.0025

/**
 * The colour nearest to a given one that passes a test: hue is kept, lightness is searched in both directions,
 * and of the two first hits the one that looks more alike is taken. Undefined when no lightness passes.
 */
export function nearestColour(colour: string, passes: (candidate: string) => boolean): string | undefined {
  if (passes(colour)) return colour
  const hits = [STEP, -STEP]
    .map((step) => firstHit(colour, step, passes))
    .filter((hit) => hit !== undefined)
    .sort((left, right) => colourDistance(colour, left) - colourDistance(colour, right))
  return hits[0]
}

function firstHit(colour: string, step: number, passes: (candidate: string) => boolean): string | undefined {
  const { lightness, chroma, hue } = readOklch(colour)
  for (let tried = lightness + step; tried > -STEP && tried < 1 + STEP; tried += step) {
    const candidate = writeOklch({ lightness: tried, chroma, hue })
    if (passes(candidate)) return candidate
  }
  return undefined
}
