import { judgePublication, type OfferedMicroblock } from '@hailstone/ledger'
import type { ChannelHandlers, OpenChannel } from '@hailstone/mining-node'
import {
  type Address,
  DUPLICATE_KEY,
  formatBeacon,
  formatPeer,
  formatRefusal,
  type Hash,
  type MicroblockContent,
  microblockHash,
  type PublishData,
  parseClientMessage,
  sha256Hex,
  WRONG_VERSION,
} from '@hailstone/protocol'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { miner, smallPayment, stranger, verify } from './accounts.ts'
import type { SimulatedChain } from './simulated-chain.ts'

/** Fault rates of a gateway, per beacon or connection. */
export type GatewayFaultRates = {
  readonly refuses: number
  readonly hangs: number
  readonly answersInHttp: number
  readonly hostile: number
  readonly cuts: number
  readonly goesDumb: number
  readonly redirects: number
  readonly contests: number
  readonly wrongVersion: number
}

export const FINE: GatewayFaultRates = {
  refuses: 0,
  hangs: 0,
  answersInHttp: 0,
  hostile: 0,
  cuts: 0,
  goesDumb: 0,
  redirects: 0,
  contests: 0,
  wrongVersion: 0,
}

/** One socket, seen from the gateway. */
export type SimulatedLink = {
  readonly number: number
  readonly program: Program
  readonly handlers: ChannelHandlers
  isOpen: boolean
  /** True if nothing passes any more, without a close. */
  isDumb: boolean
  hailedAs: Address | null
  outstanding: OfferedMicroblock | null
  /** Arrival time of the last frame; keeps frames in order. */
  nextAtMs: number
}

/** Observes frames at the program's side. */
export type LinkWatcher = {
  readonly sent: (link: SimulatedLink, text: string) => void
  readonly received: (link: SimulatedLink, beacon: Hash | null) => void
  readonly wentDumb: (link: SimulatedLink) => void
  /** Called with a valid offer. */
  readonly offered: (hash: Hash) => void
  readonly reported: (link: SimulatedLink, code: string) => void
}

export type SimulatedGateway = {
  readonly url: string
  faultRates: GatewayFaultRates
  isAway: boolean
  readonly open: (program: Program, handlers: ChannelHandlers) => ReturnType<OpenChannel>
  readonly stop: () => void
}

const EVERY_MS = 6_000

export function startGateway(parameters: {
  readonly run: Run
  readonly chain: SimulatedChain
  readonly number: number
  readonly others: () => readonly SimulatedGateway[]
  readonly watcher: LinkWatcher
}): SimulatedGateway {
  const { run, chain, number, others, watcher } = parameters
  const { chance, time } = run
  const name = `gateway${number}`
  const links = new Set<SimulatedLink>()
  const earlier: { readonly text: string; readonly hash: Hash }[] = []
  let nonce = 0
  let opened = 0
  let isStopped = false

  /** Delivers after a delay, in order, while both sides are connected. */
  function toProgram(link: SimulatedLink, doing: () => void): void {
    link.nextAtMs = Math.max(link.nextAtMs, time.now() + chance.ms(1, 80))
    time.after(link.nextAtMs - time.now(), () =>
      link.program.deliver(() => {
        if (link.isOpen && !link.isDumb) doing()
      }),
    )
  }

  function push(link: SimulatedLink, text: string, beacon: Hash | null = null): void {
    toProgram(link, () => {
      watcher.received(link, beacon)
      link.handlers.received(text)
    })
  }

  function cut(link: SimulatedLink, code: number, reason?: string): void {
    links.delete(link)
    toProgram(link, () => {
      link.isOpen = false
      link.handlers.closed(code, reason)
    })
  }

  function open(program: Program, handlers: ChannelHandlers): ReturnType<OpenChannel> {
    const link: SimulatedLink = {
      number: 100 * number + ++opened,
      ...{ program, handlers, isOpen: false, isDumb: false, hailedAs: null, outstanding: null, nextAtMs: 0 },
    }
    let isLeft = false
    program.onKill(() => void links.delete(link))
    time.after(chance.ms(1, 120), () => program.deliver(() => isLeft || answerBeforeOpen(link)))
    const leave = (): void => {
      isLeft = true
      link.isOpen = false
      links.delete(link)
    }
    return {
      send: (text) => {
        if (!link.isOpen) throw new Error('the socket is not open')
        if (program.isOver()) return
        watcher.sent(link, text)
        if (!link.isDumb) time.after(chance.ms(1, 80), () => links.has(link) && hear(link, text))
      },
      ping: () => {
        if (link.isOpen && !program.isOver()) toProgram(link, handlers.pong)
      },
      close: (code) => {
        run.note(program.name, `closes ${link.number} with ${code}`)
        const wasOpen = link.isOpen
        leave()
        if (link.isDumb || !wasOpen) return
        time.after(chance.ms(1, 200), () => program.deliver(() => handlers.closed(code)))
      },
      terminate: leave,
    }
  }

  function answerBeforeOpen(link: SimulatedLink): void {
    const { handlers } = link
    const { refuses, hangs, answersInHttp } = gateway.faultRates
    const draw = chance.next()
    if (gateway.isAway || draw < refuses) {
      run.fault(name, `refuses ${link.number}`)
      handlers.failed('ECONNREFUSED')
    } else if (draw < refuses + hangs) run.fault(name, `lets ${link.number} hang`)
    else if (draw < refuses + hangs + answersInHttp) {
      const status = chance.pick([429, 503, 502, 403, 404])
      run.fault(name, `answers ${link.number} with ${status}`)
      handlers.failed(`status ${status}`, { status, retryAfterMs: chance.pick([null, 1_000, 30_000]) })
    } else {
      run.note(name, `opens ${link.number}`)
      link.isOpen = true
      links.add(link)
      handlers.opened()
    }
  }

  function hear(link: SimulatedLink, text: string): void {
    const message = parseClientMessage(text)
    if (message.kind === 'hail') hailed(link, String(message.data.id) as Address)
    else if (message.kind === 'publish') published(link, message.data, message.hasVersion)
    else run.violate('I2', `${link.program.name} says ${text.slice(0, 60)}`)
  }

  /** The new connection wins (PROTOCOL 5.3). */
  function hailed(link: SimulatedLink, account: Address): void {
    for (const other of links) {
      if (other === link || other.hailedAs !== account) continue
      tell(other, DUPLICATE_KEY)
      cut(other, 1006)
    }
    link.hailedAs = account
  }

  function tell(link: SimulatedLink, code: string): void {
    run.fault(name, `tells ${link.number} ${code}`)
    toProgram(link, () => {
      watcher.reported(link, code)
      link.handlers.received(formatRefusal(code))
    })
  }

  function published(link: SimulatedLink, data: PublishData, hasVersion: boolean): void {
    const { hailedAs, outstanding } = link
    const judgement = judgePublication({
      ...{ data, hasVersion, hailedAs, outstanding, verify },
      stakes: {
        minimumStake: () => 250_000_000_000n,
        balance: (account, tokenId) => chain.ledger().balance(account, tokenId),
      },
      isStored: (hash) => chain.holds(hash),
    })
    if (judgement.verdict === 'accepted') {
      link.outstanding = null
      const { microblock } = judgement
      if (microblock.keyBlockHash === chain.open.hash) chain.addMicroblock(microblock)
      return
    }
    const isFault = judgement.verdict === 'wrongVersion' || judgement.verdict === 'refused'
    const isOutdated = judgement.verdict === 'refused' && judgement.reason === 'noOutstandingBeacon'
    if (isFault && !isOutdated) {
      run.violate(
        'I2',
        `a publication is judged ${judgement.verdict} ${'reason' in judgement ? judgement.reason : ''}`,
      )
    }
  }

  function offer(link: SimulatedLink): void {
    const transactions = Array.from({ length: chance.whole(1, 2) }, () => smallPayment(chance.whole(0, 400)))
    const publisher = link.hailedAs ?? miner.address
    const content = { keyBlockHash: chain.open.hash, publisher, nonce: nonce++, transactions }
    const hash = microblockHash(content)
    watcher.offered(hash)
    link.outstanding = { ...content, hash }
    const text = beaconText(content, hash)
    earlier.push({ text, hash })
    run.note(name, `offers ${hash.slice(0, 8)} to ${link.number}`)
    push(link, text, hash)
  }

  const beaconText = (content: MicroblockContent, hash: Hash): string =>
    formatBeacon({ leaderId: '1', microblockHash: hash, content })

  function annoy(link: SimulatedLink): void {
    const kind = chance.pick([
      ...(['replay', 'forged', 'for another', 'empty', 'unsigned', 'garbage', 'flood'] as const),
    ])
    run.fault(name, `${kind} to ${link.number}`)
    const [first, second] = [smallPayment(1), smallPayment(2)]
    const content = {
      keyBlockHash: chain.open.hash,
      publisher: link.hailedAs ?? miner.address,
      nonce: nonce++,
      transactions: [first],
    }
    const send = (bad: MicroblockContent, stated: Hash = microblockHash(bad)): void =>
      push(link, beaconText(bad, stated), stated)
    switch (kind) {
      case 'replay': {
        const again = earlier[chance.whole(0, earlier.length - 1)]
        if (again !== undefined) push(link, again.text, again.hash)
        break
      }
      case 'forged':
        send(content, sha256Hex(`forged ${nonce}`))
        break
      case 'for another':
        send({ ...content, publisher: stranger.address })
        break
      case 'empty':
        send({ ...content, transactions: [] })
        break
      case 'unsigned':
        send({ ...content, transactions: [{ ...first, signature: second.signature }] })
        break
      case 'garbage':
        push(
          link,
          chance.pick(['', '{', 'null', '[]', '{"ver":4}', '{"ver":4,"method":"__proto__","data":{}}']),
        )
        break
      case 'flood':
        for (let count = 0; count < 30; count++) offer(link)
    }
  }

  function turn(): void {
    if (isStopped) return
    const { cuts, goesDumb, hostile, redirects, contests, wrongVersion } = gateway.faultRates
    for (const link of [...links]) {
      if (link.hailedAs === null || link.isDumb) continue
      if (chance.is(cuts)) {
        run.fault(name, `cuts ${link.number}`)
        const hint = chance.pick([undefined, undefined, '{"retryAfterMs":2000}', 'maintenance'])
        cut(link, chance.pick([1000, 1001, 1006, 1011, 1012, 1013]), hint)
      } else if (chance.is(goesDumb)) {
        run.fault(name, `${link.number} goes dumb`)
        link.isDumb = true
        watcher.wentDumb(link)
      } else if (chance.is(contests)) {
        tell(link, DUPLICATE_KEY)
        cut(link, 1006)
      } else if (chance.is(wrongVersion)) {
        tell(link, WRONG_VERSION)
        cut(link, 1002)
      } else if (chance.is(redirects)) {
        const other = chance.pick(others() as [SimulatedGateway])
        const { hostname, port } = new URL(other.url)
        const host = chance.pick([hostname, hostname, '10.0.0.1', 'no name'])
        run.fault(name, `sends ${link.number} to ${host}`)
        push(link, formatPeer({ host, port: Number(port) }))
      } else if (chance.is(hostile)) annoy(link)
      else if (chance.is(0.8)) offer(link)
    }
    time.after(EVERY_MS * chance.pick([0.2, 0.7, 1, 1.4, 2]), turn)
  }
  time.after(EVERY_MS * chance.next(), turn)

  const gateway: SimulatedGateway = {
    url: `wss://gateway${number}.test:300${number}/`,
    faultRates: FINE,
    isAway: false,
    open,
    stop: () => {
      isStopped = true
    },
  }
  return gateway
}
