import type { Transport, TransportRequest } from '@hailstone/client'
import type { ClientCore } from '../real.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import type { ApiAnswer } from './answer.ts'
import { type ApiNode, createApiNode } from './api-node.ts'
import { clientOfNodes } from './api-nodes.ts'
import type { FullNode } from './full-node.ts'
import { drawFaultRates, NO_FAULTS } from './http-faults.ts'

export type Addresses = {
  readonly clientOf: (
    program: Program,
    wrap: (transport: Transport) => Transport,
    network?: Parameters<typeof clientOfNodes>[0]['network'],
  ) => ClientCore
  /** True if several nodes answer at one of the addresses. */
  readonly areMixed: boolean
  /** Fails at one of the addresses, for a while. */
  readonly disturb: () => void
  /** Leads one of the addresses, or all, to the nodes of another chain for a while. */
  readonly stray: () => void
  readonly calm: () => void
}

export type AddressesParameters = {
  readonly run: Run
  readonly name: string
  /** Number of addresses. */
  readonly count: number
  /** Nodes of the network; each address has some of them behind it, and each request goes to any of those. */
  readonly nodes: readonly [FullNode, ...FullNode[]]
  /** A node of another chain. */
  readonly foreign: FullNode | null
  readonly inspect: (request: TransportRequest, program: Program) => void
  /**
   * Called when bytes arrive at the node of another chain, with the time since when this address did not name the
   * right one.
   */
  readonly strayed: (body: string, unaskedMs: number) => void
}

/** Answers that say nothing, or that there is nothing. */
const NOTHINGS: readonly ApiAnswer[] = [
  { status: 200, text: '[]' },
  { status: 200, text: '' },
  { status: 404, text: '' },
  { status: 404, text: '{"err":1,"message":"not there"}' },
  { status: 502, text: '<html>' },
]

type Lie = { readonly path: string | null; readonly answer: ApiAnswer; left: number }

const PATHS = [
  ...(['/macroblock_by_height', '/native_token', '/token_info', '/balance', '/height', '/tx'] as const),
  ...(['/pending_tx_account', '/pending_tx_hash', '/account_transactions', '/macroblock', null] as const),
] as const
/** What a client may take for true when it is repeated for long enough. */
const BRIEF: ReadonlySet<string | null> = new Set(['/native_token', '/token_info', null])

type Address = { readonly node: ApiNode; isAstray: boolean; namedAtMs: number; lie: Lie | null }

/** Addresses of one network: behind each are one or more of its nodes. */
export function createAddresses(parameters: AddressesParameters): Addresses {
  const { run, name, count, nodes, foreign, inspect, strayed } = parameters
  const { chance, time } = run
  let isCalm = false

  function behind(at: number): readonly [FullNode, ...FullNode[]] {
    if (count === 1) return nodes
    const [first = nodes[0], ...more] = nodes.filter((_, number) => number % count === at % nodes.length)
    return [first, ...more]
  }

  const addresses: Address[] = Array.from({ length: count }, (_, at) => {
    const any = (): FullNode => chance.pick(behind(at))
    const away = (): FullNode | null => (address.isAstray ? foreign : null)
    const address: Address = {
      node: createApiNode({
        ...{ run, name: `${name}${at}`, inspect },
        view: () => (away() ?? any()).view(),
        post: (body) => {
          const there = away()
          if (there !== null) strayed(body, time.now() - address.namedAtMs)
          return (there ?? any()).post(body)
        },
      }),
      isAstray: false,
      namedAtMs: Number.NEGATIVE_INFINITY,
      lie: null,
    }
    address.node.faultRates = drawFaultRates(chance, [0, 0, 0.02, 0.05])
    address.node.lie = (path, query) => {
      const answer = lied(address, path, query)
      const isOrigin = path === '/macroblock_by_height' && query.get('height') === '0'
      if (isOrigin && answer === null && !address.isAstray) address.namedAtMs = time.now()
      return answer
    }
    return address
  })

  function lied({ lie, node }: Address, path: string, query: URLSearchParams): ApiAnswer | null {
    const isOther = lie === null || lie.left === 0 || (lie.path !== null && lie.path !== path)
    if (isOther || (path === '/macroblock_by_height' && lie.path !== null && query.get('height') !== '0'))
      return null
    lie.left--
    run.fault(node.name, `answers ${path} with ${lie.answer.status} ${lie.answer.text || 'nothing'}`)
    return lie.answer
  }

  const any = (): Address => chance.pick(addresses as [Address, ...Address[]])

  function forAWhile(ms: number, begin: () => void, end: () => void): void {
    begin()
    time.after(ms, end)
  }

  return {
    areMixed: nodes.length > count,
    clientOf: (program, wrap, network) =>
      clientOfNodes({ run, nodes: addresses.map(({ node }) => node), program, wrap, network }),
    disturb: () => {
      if (isCalm) return
      const address = any()
      const { node } = address
      if (chance.is(0.3)) {
        run.fault('faults', `${node.name} away`)
        const back = (): void => void Object.assign(node, { isAway: false })
        forAWhile(chance.ms(1_000, 60_000), () => Object.assign(node, { isAway: true }), back)
        return
      }
      const path = chance.pick(PATHS)
      const lie = { path, answer: chance.pick(NOTHINGS as [ApiAnswer, ...ApiAnswer[]]), left: 0 }
      lie.left = BRIEF.has(path) ? chance.whole(1, 3) : chance.pick([1, 3, 20])
      run.fault('faults', `${node.name} says nothing at ${path ?? 'every path'}`)
      forAWhile(
        chance.ms(5_000, 60_000),
        () => Object.assign(address, { lie }),
        () => address.lie === lie && Object.assign(address, { lie: null }),
      )
    },
    stray: () => {
      if (isCalm || foreign === null) return
      const those = chance.is(0.4) ? addresses : [any()]
      const ms = chance.ms(70_000, 150_000)
      for (const address of those) {
        run.fault('faults', `${address.node.name} leads to another chain`)
        forAWhile(
          ms,
          () => Object.assign(address, { isAstray: true }),
          () => Object.assign(address, { isAstray: false }),
        )
      }
    },
    calm: () => {
      isCalm = true
      for (const address of addresses) {
        Object.assign(address, { isAstray: false, lie: null })
        Object.assign(address.node, { faultRates: NO_FAULTS, isAway: false })
      }
    },
  }
}
