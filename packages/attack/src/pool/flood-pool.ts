import type { Figure } from '../attack.ts'
import type { FloodCounts, FloodTarget } from '../flood/flood-target.ts'
import { REFUSED, UNCONFIRMED, WORST_DELAY } from './honest-payer.ts'
import { postStream } from './post-stream.ts'

/**
 * The macroblock that was open when the payment was posted may be closing already, so its own is the one after; one
 * more for a microblock that its miner never returned.
 */
const LONGEST_DELAY = 2

/** Figures of the honest payer. */
export const poolFigures = ({ counts }: { readonly counts: FloodCounts }): readonly Figure[] => [
  {
    name: 'delay of an honest payment',
    value: counts[WORST_DELAY] ?? Number.NaN,
    unit: 'macroblocks',
    atMost: LONGEST_DELAY,
  },
  { name: 'honest payments lost', value: counts[UNCONFIRMED] ?? Number.NaN, unit: '', atMost: 0 },
  {
    name: 'honest payments refused',
    value: counts[REFUSED] ?? Number.NaN,
    unit: '',
    atMost: 0,
  },
]

/** Posts over some connections at once. */
export async function floodPool(
  target: FloodTarget,
  given: { readonly connections: number; readonly depth: number; readonly nextBody: () => string },
): Promise<FloodCounts> {
  const { connections, ...stream } = given
  const streams = Array.from({ length: connections }, () => postStream({ ...target, ...stream }))
  const posted = await Promise.all(streams)
  return {
    'transactions posted': posted.reduce((sum, { sent }) => sum + sent, 0),
    'transactions accepted': posted.reduce((sum, { accepted }) => sum + accepted, 0),
  }
}

/** A macroblock full of rejected payments costs a tenth of a second; half a second apart, that is a load of its own. */
export const poolNetwork = { blockTimeMs: 2000 }

export const receiverOf = ({ accounts }: FloodTarget): string => accounts[2]?.address ?? ''
