import type { Transport, TransportRequest } from '@hailstone/client'
import type { Client } from '../real.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import type { ApiAnswer } from './answer.ts'
import { createApiNode } from './api-node.ts'
import { clientOfNodes } from './api-nodes.ts'
import { drawFaultRates, type HttpFaultRates, NO_FAULTS } from './http-faults.ts'
import { createObservation, type Observation } from './observation.ts'
import type { ChainView, SimulatedChain } from './simulated-chain.ts'

/** Which of the nodes behind an address gets a request. */
export type Routing = 'random' | 'by path' | 'in turns of time'

/** What a node says that is still reading its database. */
export type Beginning = 'lists' | 'absent' | 'gateway' | 'empty histories'

/** One address, behind which are nodes of one chain that are some macroblocks apart. */
export type Balancer = {
  readonly clientOf: (program: Program, wrap: (transport: Transport) => Transport) => Client
  /** One of its nodes, or the address, fails in one of its ways for a while. */
  readonly disturb: () => void
  /** No node shows anything new for a while; then all of it at once. */
  readonly standStill: (ms: number) => void
  /** A node starts: it says for a while that there is nothing. */
  readonly begin: (ms: number) => void
  /** Faults end, but for a rate of those of single requests. Nodes stay as far apart as they were. */
  readonly calm: (faultRates?: HttpFaultRates) => void
  /** All nodes have the whole chain. */
  readonly settle: () => void
  /** Height of the highest node. */
  readonly shownHeight: () => number
}

export type BalancerParameters = {
  readonly run: Run
  readonly chain: SimulatedChain
  readonly nodes: number
  readonly routing: Routing
  /** Macroblocks that a node may be behind. */
  readonly deepestLag: number
  readonly inspect: (request: TransportRequest, program: Program) => void
}

type Member = {
  readonly name: string
  readonly observation: Observation
  /** What it knows; it falls behind and never goes back, except to another fork. */
  readonly view: () => ChainView
  beginning: Beginning | null
}

const HISTORIES: ReadonlySet<string> = new Set([
  '/account_rewards',
  '/account_refreward',
  '/account_transactions',
])
const ABSENT: ApiAnswer = { status: 404, text: '{"err":1,"message":"not there"}' }

const emptyHistory = (path: string, query: URLSearchParams): ApiAnswer | null => {
  if (HISTORIES.has(path)) return { status: 200, text: JSON.stringify({ balance: 0, id: query.get('id') }) }
  if (path === '/balance')
    return {
      status: 200,
      text: '{"amount":0,"decimals":10,"delegated":0,"reward":0,"transit":0,"undelegated":0}',
    }
  if (path === '/eindex_by_hash') return { status: 200, text: '[]' }
  if (path === '/mblock') return { status: 200, text: '{"transactions":[]}' }
  return null
}

const answersOf: { readonly [B in Beginning]: (path: string, query: URLSearchParams) => ApiAnswer | null } = {
  lists: () => ({ status: 200, text: '[]' }),
  absent: () => ABSENT,
  gateway: () => ({ status: 502, text: '<html>' }),
  'empty histories': emptyHistory,
}

const BEGINNINGS = ['lists', 'absent', 'gateway', 'empty histories', 'empty histories'] as const
/** Paths at which a node may say for once that there is nothing. */
const ONCE = [
  '/native_token',
  '/token_info',
  '/mblock',
  '/eindex_by_hash',
  '/macroblock_by_height',
  '/macroblock',
] as const
const TURN_MS = 40_000

function onward(observation: Observation, chain: SimulatedChain): () => ChainView {
  let shown: ChainView | null = null
  return () => {
    const view = observation.view()
    const newest = shown?.blocks.at(-1)
    const isBack = newest !== undefined && newest.keyBlock.height >= view.blocks.length
    if (isBack && chain.blocks[newest.keyBlock.height] === newest) return shown ?? view
    shown = view
    return view
  }
}

export function createBalancer(parameters: BalancerParameters): Balancer {
  const { run, chain, nodes, routing, deepestLag, inspect } = parameters
  const { chance, time } = run
  const members = Array.from({ length: nodes }, (_, at): Member => {
    const observation = createObservation(run, chain)
    observation.lag = at === 0 ? 0 : chance.whole(0, deepestLag)
    return { name: `full${at}`, observation, view: onward(observation, chain), beginning: null }
  }) as [Member, ...Member[]]
  const offset = chance.whole(0, 9)
  let isCalm = false
  let chosen = members[0]
  let once: { readonly path: string; readonly answer: ApiAnswer; left: number } | null = null

  function routed(path: string): Member {
    if (routing === 'random') return chance.pick(members)
    const turn = routing === 'by path' ? path.length : Math.floor(time.now() / TURN_MS)
    return members[(turn + offset) % members.length] ?? members[0]
  }

  const node = createApiNode({
    ...{ run, name: 'api', inspect },
    view: () => chosen.view(),
    post: () => ({ status: 404, text: '' }),
  })
  node.faultRates = drawFaultRates(chance, [0, 0, 0.02, 0.05])
  // Asked first: the same node answers as has been asked.
  node.lie = (path, query) => {
    chosen = routed(path)
    const { beginning, name } = chosen
    const answer = (beginning && answersOf[beginning](path, query)) ?? said(path)
    if (answer !== null) run.fault(name, `answers ${path} with ${answer.status} ${answer.text.slice(0, 30)}`)
    return answer
  }

  function said(path: string): ApiAnswer | null {
    if (once === null || once.left === 0 || once.path !== path) return null
    once.left--
    return once.answer
  }

  function begin(member: Member, ms: number): void {
    const beginning = chance.pick(BEGINNINGS)
    run.fault(member.name, `starts for ${ms} ms: ${beginning}`)
    member.beginning = beginning
    time.after(ms, () => {
      member.beginning = null
    })
  }

  return {
    clientOf: (program, wrap) => clientOfNodes({ run, nodes: [node], program, wrap }),
    begin: (ms) => begin(chance.pick(members), ms),
    standStill: (ms) => {
      run.fault('api', `stands still for ${ms} ms`)
      for (const { observation } of members) observation.stayBehind(ms)
    },
    disturb: () => {
      if (isCalm) return
      const member = chance.pick(members)
      const kind = chance.pick(['late', 'late', 'left behind', 'starts', 'once', 'away'] as const)
      if (kind === 'starts') return begin(member, chance.ms(3_000, 60_000))
      run.fault(member.name, kind)
      if (kind === 'late') member.observation.lag = chance.whole(0, deepestLag)
      if (kind === 'left behind') member.observation.stayBehind(chance.ms(5_000, 90_000))
      if (kind === 'once') {
        const answer = chance.pick([ABSENT, { status: 200, text: '[]' }, { status: 200, text: '' }])
        once = { path: chance.pick(ONCE), answer, left: chance.whole(1, 2) }
      }
      if (kind === 'away') {
        node.isAway = true
        time.after(chance.ms(1_000, 60_000), () => {
          node.isAway = false
        })
      }
    },
    calm: (faultRates = NO_FAULTS) => {
      isCalm = true
      once = null
      node.isAway = false
      node.faultRates = faultRates
      for (const member of members) {
        const { lag } = member.observation
        member.beginning = null
        member.observation.catchUp()
        member.observation.lag = lag
      }
    },
    settle: () => {
      node.faultRates = NO_FAULTS
      for (const { observation } of members) observation.catchUp()
    },
    shownHeight: () => Math.max(...members.map(({ view }) => view().blocks.length)),
  }
}
