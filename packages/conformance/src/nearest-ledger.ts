import { dirname, relative, resolve, sep } from 'node:path'
import type { JsonValue } from '@hailstone/protocol'
import { asObject, asText, difference } from './case.ts'
import type { CheckContext, GivenFile } from './check.ts'
import { isLedgerRecording } from './ledger-recording.ts'

/** Returns how many folders up from the first path the two meet; 0 in the same folder or below it. */
function stepsUp(from: string, to: string): number {
  const way = relative(dirname(resolve(from)), resolve(to)).split(sep)
  return way.filter((step) => step === '..').length
}

const isSame = (one: GivenFile, other: GivenFile): boolean => difference('', one.file, other.file) === null

/**
 * Returns the recorded ledger of an HTTP recording: that of its seed, in its own folder or else the nearest one
 * around it. Identical copies count as one.
 *
 * @throws {Error} if no ledger was recorded, or two different ones are equally near
 */
export function nearestLedger(seed: string, { files, path }: CheckContext): JsonValue {
  const ofSeed = files.filter(({ file }) => isLedgerRecording(file) && asText(asObject(file).seed) === seed)
  const distance = (given: GivenFile): number => (path === undefined ? 0 : stepsUp(path, given.path))
  const least = Math.min(...ofSeed.map(distance))
  const [found, ...others] = ofSeed.filter((given) => distance(given) === least)
  if (found === undefined)
    throw new Error(`the folders hold no recorded ledger of seed ${seed}, which these exchanges stand on`)
  const rival = others.find((other) => !isSame(found, other))
  if (rival !== undefined)
    throw new Error(`two different ledgers of seed ${seed} are as near: ${found.path} and ${rival.path}`)
  return found.file
}
