import type { OpenChannel } from '../real.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import type { SimulatedChain } from './simulated-chain.ts'
import { FINE, type LinkWatcher, type SimulatedGateway, startGateway } from './simulated-gateway.ts'

/** Gateways of a network, for programs of which the watching is looked at. */
export type Gateways = {
  readonly urls: readonly string[]
  readonly openChannelOf: (program: Program) => OpenChannel
  readonly calm: () => void
  readonly stop: () => void
}

const UNWATCHED: LinkWatcher = {
  sent: () => undefined,
  received: () => undefined,
  wentDumb: () => undefined,
  offered: () => undefined,
  reported: () => undefined,
}

/** Two or three good gateways, of which one may say for minutes that the version is wrong. */
export function createGateways(run: Run, chain: SimulatedChain): Gateways {
  const { chance, time } = run
  const gateways: SimulatedGateway[] = []
  for (let number = 0; number < chance.pick([2, 2, 3]); number++)
    gateways.push(startGateway({ run, chain, number, others: () => gateways, watcher: UNWATCHED }))
  const [first] = gateways
  if (first !== undefined && chance.is(0.4))
    time.after(chance.ms(0, 100_000), () => {
      first.faultRates = { ...FINE, wrongVersion: 0.5 }
      time.after(chance.ms(10_000, 120_000), () => {
        first.faultRates = FINE
      })
    })
  const cuts = chance.pick([0, 0, 0.05])
  for (const gateway of gateways) gateway.faultRates = { ...FINE, cuts }

  return {
    urls: gateways.map(({ url }) => url),
    openChannelOf:
      (program) =>
      ({ url, handlers }) => {
        const gateway = gateways.find((one) => one.url === url)
        if (gateway === undefined) throw new TypeError(`nobody listens at ${url}`)
        return gateway.open(program, handlers)
      },
    calm: () => {
      for (const gateway of gateways) gateway.faultRates = FINE
    },
    stop: () => {
      for (const gateway of gateways) gateway.stop()
    },
  }
}
