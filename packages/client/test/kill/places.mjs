/** Places where the program is killed, by row of the table of failures. */
const places = [
  { row: 'K1', place: 'intent not stored' },
  { row: 'K2', place: 'journal has room' },
  { row: 'K2', place: 'journal written', mayTear: true, times: 6 },
  { row: 'K2', place: 'journal synced', times: 6 },
  { row: 'K2', place: 'intent stored' },
  { row: 'K2', place: 'signed' },
  { row: 'K3', place: 'bytes stored' },
  { row: 'K3', place: 'sending' },
  { row: 'K4', wire: 'request' },
  { row: 'K4', wire: 'request' },
  { row: 'K5', wire: 'answer' },
  { row: 'K5', wire: 'answer' },
  { row: 'K6', place: 'answered' },
  { row: 'K6', place: 'answer stored' },
  { row: 'K7', place: 'looking', times: 6 },
  { row: 'K7', place: 'became inPool' },
  { row: 'K8', place: 'compaction written' },
  { row: 'K8', place: 'compaction synced' },
  { row: 'K8', place: 'compaction renamed' },
  { row: 'K8', place: 'compaction done' },
  { row: 'K9', place: 'became confirmed', thenFork: true },
  { row: 'K9', place: 'became confirmed', thenFork: true },
  { row: 'K10', atRandom: true },
  { row: 'K10', atRandom: true },
]

/** Further faults of a run: of posted requests, or of the network. */
const faults = [
  'none',
  'lost request',
  'lost answer',
  'forgotten',
  'malleated copy',
  'pool flush',
  'reorganisation',
]

/**
 * Every place and every fault has its turn before one has its next, in an order that is drawn.
 *
 * @param random uniform in [0, 1)
 */
export function lifeDealer(random) {
  const [nextPlace, nextFault] = [dealer(places, random), dealer(faults, random)]
  return () => {
    const { times = 1, ...place } = nextPlace()
    return { ...place, nth: 1 + Math.floor(random() * times), fault: nextFault() }
  }
}

export const rows = [...new Set(places.map(({ row }) => row))]
export const faultNames = faults

function dealer(cards, random) {
  let deck = []
  return () => {
    if (deck.length === 0) deck = [...cards]
    return deck.splice(Math.floor(random() * deck.length), 1)[0]
  }
}

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
