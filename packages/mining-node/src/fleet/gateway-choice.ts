import { contestedDelayMs } from '../session/backoff.ts'

/** Which gateway a node of a fleet goes to; what one node learns helps all. */
export type GatewayChoice = {
  /** For a node that begins. Counts it there. */
  readonly assign: () => string
  /** For a node that has to connect again; moves it when its gateway is down, or refused it, and another is not down. */
  readonly reassign: (current: string, isRefused?: boolean) => string
  readonly succeeded: (url: string) => void
  readonly failed: (url: string) => void
  /** It turned a node away, whatever it said: left alone if it goes on, a minute at least. */
  readonly refused: (url: string) => void
  /** A beacon came from there. */
  readonly beaconSeen: (url: string) => void
  /** A macroblock came into the chain: a gateway that alone sends no beacons meanwhile is left. */
  readonly chainGrew: () => void
  /** Gateways with more than their share, and how many nodes they should give up now. */
  readonly surplus: () => ReadonlyMap<string, number>
  /** Moves one node from a gateway to the emptiest one, or to the one that is named. */
  readonly move: (from: string, to?: string) => string
  /** Gateways that failed and may be back; one node each should find out, where none is on its way there. */
  readonly toProbe: () => readonly string[]
  readonly view: () => readonly GatewayView[]
}

/** A gateway as a fleet sees it, with the number of nodes connected there. */
export type GatewayView = {
  /** `ws:` or `wss:` address. */
  readonly url: string
  /** Nodes that are connected there, or connect next. */
  readonly nodes: number
  /** True if several nodes failed there in a row; few nodes try it until it is back. */
  readonly isDown: boolean
  /** It sends no beacons while others do. */
  readonly isSilent: boolean
}

type Gateway = {
  readonly url: string
  readonly isBootNode: boolean
  nodes: number
  failures: number
  downUntil: number
  upSince: number
  /** Nodes refused since the last beacon, but for those while it is left alone. */
  refusals: number
  refusedUntil: number
  /** Macroblocks since the last beacon for any node. */
  quietMacroblocks: number
}

/** Nodes that fail in a row before the others are spared the attempt. */
const FAILURES_TO_BE_DOWN = 3
/** Time for which a failed gateway gets no new nodes, in ms; some nodes try it after that. */
const DOWN_MS = 5_000
/** A gateway that came back has to stay before nodes are moved to it. */
const SETTLED_MS = 10_000
/** Differences below this are left as they are. */
const TOLERANCE = 0.1
/** Macroblocks without a beacon for any node, while other gateways send some. */
const SILENT_MACROBLOCKS = 10
/** Of the surplus, each time: asked every five seconds, nine tenths have moved after a minute. */
const MOVED_SHARE = 0.25

export function createGatewayChoice(parameters: {
  readonly urls: readonly string[]
  /** Those of them that are boot nodes, which name a gateway. */
  readonly bootNodeUrls: readonly string[]
  readonly now: () => number
}): GatewayChoice {
  const { urls, bootNodeUrls, now } = parameters
  const gateways = urls.map(
    (url): Gateway => ({
      url,
      isBootNode: bootNodeUrls.includes(url),
      nodes: 0,
      failures: 0,
      downUntil: 0,
      upSince: now(),
      refusals: 0,
      refusedUntil: 0,
      quietMacroblocks: 0,
    }),
  )
  const of = (url: string): Gateway | undefined => gateways.find((gateway) => gateway.url === url)
  const isDown = ({ downUntil, refusedUntil }: Gateway): boolean => now() < Math.max(downUntil, refusedUntil)
  const isSuspect = ({ failures, refusals }: Gateway): boolean =>
    failures > 0 || refusals >= FAILURES_TO_BE_DOWN
  /** Silence proves nothing while all are silent: the network may be idle. */
  const isSilent = ({ nodes, quietMacroblocks }: Gateway): boolean =>
    nodes > 0 &&
    quietMacroblocks >= SILENT_MACROBLOCKS &&
    gateways.some((other) => other.nodes > 0 && other.quietMacroblocks < SILENT_MACROBLOCKS / 2)
  const isSettled = (gateway: Gateway): boolean =>
    !isSuspect(gateway) && !isSilent(gateway) && now() - gateway.upSince >= SETTLED_MS

  /**
   * Returns the gateways proper, boot nodes only if there are no others: the final gateway of a node sent on by a
   * boot node is unknown here.
   */
  function preferred(among: readonly Gateway[]): readonly Gateway[] {
    const known = among.filter(({ isBootNode }) => !isBootNode)
    return known.length > 0 ? known : among
  }

  const emptiest = (among: readonly Gateway[]): Gateway | undefined =>
    preferred(among).reduce<Gateway | undefined>(
      (least, gateway) => (least === undefined || gateway.nodes < least.nodes ? gateway : least),
      undefined,
    )

  function place(gateway: Gateway | undefined): string {
    if (gateway !== undefined) gateway.nodes++
    return gateway?.url ?? ''
  }

  function moveTo(current: string, target: Gateway | undefined): string {
    if (target === undefined || target.url === current) return current
    const from = of(current)
    if (from !== undefined) from.nodes--
    return place(target)
  }

  return {
    assign: () => place(emptiest(gateways)),
    reassign: (current, isRefused = false) => {
      const gateway = of(current)
      if (gateway !== undefined && !isRefused && !isDown(gateway)) return current
      return moveTo(current, emptiest(gateways.filter((other) => other !== gateway && !isDown(other))))
    },
    succeeded: (url) => {
      const gateway = of(url)
      if (gateway === undefined) return
      if (gateway.failures > 0) gateway.upSince = now()
      gateway.failures = 0
      gateway.downUntil = 0
    },
    failed: (url) => {
      const gateway = of(url)
      if (gateway === undefined) return
      gateway.failures++
      if (gateway.failures >= FAILURES_TO_BE_DOWN) gateway.downUntil = now() + DOWN_MS
    },
    refused: (url) => {
      const gateway = of(url)
      if (gateway === undefined || now() < gateway.refusedUntil) return
      const times = ++gateway.refusals - FAILURES_TO_BE_DOWN
      if (times >= 0) gateway.refusedUntil = now() + contestedDelayMs({ times, random: 0 })
    },
    beaconSeen: (url) => {
      const gateway = of(url)
      if (gateway !== undefined) Object.assign(gateway, { quietMacroblocks: 0, refusals: 0, refusedUntil: 0 })
    },
    chainGrew: () => {
      for (const gateway of gateways) gateway.quietMacroblocks++
    },
    surplus: () => {
      const silent = gateways.filter(isSilent)
      if (silent.length > 0)
        return new Map(silent.map(({ url, nodes }) => [url, Math.ceil(nodes * MOVED_SHARE)]))
      const settled = preferred(gateways).filter(isSettled)
      const fair = settled.reduce((sum, { nodes }) => sum + nodes, 0) / Math.max(1, settled.length)
      const isUneven = settled.some(({ nodes }) => nodes < fair * (1 - TOLERANCE))
      // Two nodes at three gateways cannot be spread better.
      const rich = isUneven ? settled.filter(({ nodes }) => nodes > Math.ceil(fair)) : []
      return new Map(rich.map(({ url, nodes }) => [url, Math.ceil((nodes - fair) * MOVED_SHARE)]))
    },
    move: (from, to) =>
      moveTo(from, to === undefined ? emptiest(preferred(gateways).filter(isSettled)) : of(to)),
    toProbe: () => {
      const suspects = gateways.filter((gateway) => isSuspect(gateway) && !isDown(gateway))
      return suspects.map(({ url }) => url)
    },
    view: () =>
      gateways.map((gateway) => ({
        url: gateway.url,
        nodes: gateway.nodes,
        isDown: isDown(gateway),
        isSilent: isSilent(gateway),
      })),
  }
}
