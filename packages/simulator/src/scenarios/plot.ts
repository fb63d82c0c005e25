import type { Run } from '../run/run.ts'
import { manifoldTokens } from '../world/chain-origin.ts'
import type { StrangerRates } from '../world/strangers.ts'
import type { Order } from './payer.ts'

/** What is special about a run; most are about few things. */
export type Plot = {
  /** Whether there is another chain, and how the program meets it. */
  readonly chains: 'one' | 'strays' | 'rehearsal'
  /** True if the program knows the first block of its network. */
  readonly isPinned: boolean
  /** What becomes of the journal. */
  readonly journal:
    | 'kept'
    | 'asked again'
    | 'old copy'
    | 'old copy at last'
    | 'old copy twice'
    | 'lost'
    | 'second machine'
  /** True if the account made payments before there was a journal. */
  readonly hasPast: boolean
  readonly hasFailingStore: boolean
  /** Of what the payer has too little for two orders at once. */
  readonly scarce: 'nothing' | 'coins' | 'coins for fees'
  readonly strangers: StrangerRates
  /** Whether all nodes refuse everything for minutes, and how that sounds. */
  readonly refusals: 'none' | 'for now' | 'for ever'
  /** True if the signer derives no nonces: nobody else can have sent its bytes, so a refusal can be final. */
  readonly hasPlainSigner: boolean
}

export function drawPlot({ chance }: Run): Plot {
  const chains = chance.pick(['one', 'one', 'one', 'strays', 'rehearsal'] as const)
  const isPinned = chance.is(0.5)
  const journal = chance.pick([
    ...(['kept', 'kept', 'asked again', 'old copy', 'old copy at last', 'old copy twice'] as const),
    ...(['lost', 'second machine'] as const),
  ])
  const hasFailingStore = chance.is(0.15)
  const isPlain = chains === 'rehearsal' || (chains === 'strays' && !isPinned)
  const plot: Omit<Plot, 'refusals' | 'hasPlainSigner'> = {
    chains,
    isPinned,
    // Otherwise nobody could know which chain an order is meant for.
    journal: isPlain ? 'kept' : hasFailingStore ? chance.pick(['kept', 'asked again']) : journal,
    hasPast: chance.is(0.25),
    hasFailingStore: hasFailingStore && !isPlain,
    scarce: chance.pick(['nothing', 'nothing', 'coins', 'coins for fees'] as const),
    strangers: {
      repeats: chance.pick([0, 0, 0.3, 1]),
      recalls: chance.pick([0, 0, 0.2]),
      reach: chance.pick([0.3, 1]),
      dust: chance.pick([0, 0.3]),
      floods: chance.pick([0, 0, 0.03]),
    },
  }
  if (plot.journal !== 'old copy at last') return { ...plot, refusals: 'none', hasPlainSigner: false }
  // What everybody refuses for long is given up, but not what is refused for now.
  const refusals = chance.pick(['for now', 'for ever'] as const)
  return { ...plot, refusals, hasPlainSigner: chance.is(0.75) }
}

/** What the memo of an order begins with that is given to an old copy of the journal and to no other. */
export const OWN = 'own order'

export function drawOrders({ chance }: Run, { scarce, hasPast, journal }: Plot): readonly Order[] {
  const { native, fixed, zeros, dear } = manifoldTokens
  const small = (memo: string): Order => {
    const tokenId = chance.pick([undefined, undefined, native.id, fixed.id, zeros.id])
    return {
      memo,
      atMs: chance.ms(0, hasPast ? 220_000 : 90_000),
      amount: BigInt(chance.whole(10_000, 99_999)) * 10n ** 7n,
      tokenId,
    }
  }
  const orders = Array.from({ length: chance.whole(1, 3) }, (_, at) => small(`order ${at}`))
  if (journal === 'old copy twice')
    for (let left = chance.whole(1, 2); left > 0; left--) orders.push(small(`${OWN} ${left}`))
  if (scarce === 'nothing') return orders
  const atMs = chance.ms(0, 60_000)
  const large = { atMs, amount: 6n * 10n ** 15n }
  const costly = { atMs, amount: 1_000n, tokenId: dear.id, nativeFeeCap: 10n ** 16n }
  const of = scarce === 'coins' ? large : costly
  const more = Array.from({ length: chance.whole(2, 3) }, (_, at) => ({ ...of, memo: `large order ${at}` }))
  return [...orders, ...more]
}
