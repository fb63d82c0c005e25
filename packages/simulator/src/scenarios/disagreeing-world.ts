import { type Transaction, toAmount } from '@hailstone/protocol'
import type { Run } from '../run/run.ts'
import { payer as account, stranger } from '../world/accounts.ts'
import { type Addresses, type AddressesParameters, createAddresses } from '../world/addresses.ts'
import { manifoldOrigin, manifoldTokens, otherOrigin } from '../world/chain-origin.ts'
import { createFullNode, type FullNode, type FullNodeParameters } from '../world/full-node.ts'
import { type Producer, STEADY, startProducer } from '../world/producer.ts'
import { type ChainView, SimulatedChain } from '../world/simulated-chain.ts'
import { startStrangers } from '../world/strangers.ts'
import type { Plot } from './plot.ts'

/** Networks of several nodes, and whoever else is there. */
export type World = {
  readonly chain: SimulatedChain
  readonly other: SimulatedChain
  readonly real: Addresses
  readonly rehearsal: Addresses
  /** What the nodes know that may answer. */
  readonly views: () => readonly ChainView[]
  readonly calm: () => void
  readonly stop: () => void
  readonly producer: Producer
}

const pastPayment = (nonce: number): Transaction =>
  account.wallet.signTransaction({
    ...{ from: account.address, to: stranger.address, amount: toAmount(50_000_000_000n), nonce },
    ...{ data: `past ${nonce}`, tokenId: manifoldTokens.native.id },
  })

type Nodes = readonly [FullNode, ...FullNode[]]

function createNodes(
  given: Omit<Parameters<typeof createFullNode>[0], 'name' | 'passesOn' | 'restarts'>,
): Nodes {
  const { chance } = given.run
  const nodeAt = (at: number): FullNode =>
    createFullNode({
      ...given,
      name: `full${at}`,
      passesOn: chance.pick([0, 0.3, 1, 1]),
      restarts: chance.pick([0, 0, 0.2, 0.6]),
    })
  return [nodeAt(0), ...Array.from({ length: chance.whole(1, 3) }, (_, at) => nodeAt(at + 1))]
}

/** Lets one thing after another fail. */
function disturb(
  given: { readonly run: Run; readonly nodes: Nodes; readonly mayStray: () => boolean },
  addresses: () => Addresses,
): { readonly end: () => void } {
  const { run, nodes, mayStray } = given
  const { chance, time } = run
  const pace = chance.pick([4_000, 12_000])
  let isOver = false

  function turn(): void {
    if (isOver) return
    const kind = chance.pick(['node', 'node', 'address', 'address', 'frozen', 'stray'] as const)
    if (kind === 'node') chance.pick(nodes).disturb()
    if (kind === 'address') addresses().disturb()
    if (kind === 'frozen' && chance.is(0.3)) {
      const ms = chance.ms(30_000, 200_000)
      run.fault('faults', `all nodes stand still for ${ms} ms`)
      for (const node of nodes) node.freeze(ms)
    }
    if (kind === 'stray' && mayStray()) addresses().stray()
    time.after(chance.ms(pace / 5, pace * 4), turn)
  }
  time.after(chance.ms(0, 10_000), turn)
  return {
    end: () => {
      isOver = true
    },
  }
}

export function createWorld(
  run: Run,
  plot: Plot,
  given: Pick<AddressesParameters, 'inspect' | 'strayed'> & {
    readonly onRefused: FullNodeParameters['onRefused']
    readonly mayStray: () => boolean
    readonly isRehearsal: () => boolean
  },
): World {
  const { chance, time } = run
  const chain = new SimulatedChain({ now: time.now, origin: manifoldOrigin })
  if (plot.hasPast) chain.publish([pastPayment(0), pastPayment(1)])
  const producer = startProducer(run, chain)
  const other = new SimulatedChain({ now: time.now, origin: otherOrigin })
  const otherProducer = plot.chains === 'one' ? null : startProducer(run, other)
  const { onRefused } = given
  const onTaken = (transaction: Transaction): void => strangers.sees(transaction)
  const nodes = createNodes({ run, chain, onChange: producer.onChange, onTaken, onRefused })
  const foreign = createFullNode({
    ...{ run, chain: other, name: 'foreign', passesOn: 1, restarts: 0 },
    onTaken: () => undefined,
    onRefused: () => undefined,
    onChange: otherProducer?.onChange ?? (() => undefined),
  })
  const strangers = startStrangers({ run, chain, producer, nodes, rates: plot.strangers })
  producer.faultRates = {
    fork: chance.pick([0, 0, 0.1, 0.3]),
    taken: chance.pick([0.3, 0.8, 1]),
    forgets: chance.pick([0, 0, 0.1]),
  }
  const { refusals } = plot
  if (refusals !== 'none')
    time.after(chance.ms(0, 60_000), () => {
      const ms = chance.ms(120_000, 240_000)
      for (const node of nodes) node.refuseAll(ms, refusals)
    })
  const addresses = (name: string, behind: Nodes, count: number): Addresses =>
    createAddresses({ run, name, count, nodes: behind, foreign, ...given })
  const real = addresses('api', nodes, chance.pick([1, 1, 2, 3]))
  const rehearsal = addresses('rehearsal', [foreign], 1)
  const disturbance = disturb(
    { run, nodes, mayStray: () => plot.chains === 'strays' && given.mayStray() },
    () => (given.isRehearsal() ? rehearsal : real),
  )

  return {
    ...{ chain, other, producer, real, rehearsal },
    views: () => [chain.view(), ...nodes.map((node) => node.view())],
    calm: () => {
      disturbance.end()
      producer.faultRates = STEADY
      real.calm()
      rehearsal.calm()
      for (const node of nodes) node.calm()
    },
    stop: () => {
      producer.stop()
      otherProducer?.stop()
    },
  }
}
