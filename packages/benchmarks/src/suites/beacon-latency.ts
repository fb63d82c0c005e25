import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  type Address,
  addressOf,
  defaultEcdsa,
  formatBeacon,
  type Hash,
  microblockHash,
  parseClientMessage,
  parsePrivateKey,
  publicationText,
  sha256Hex,
  signingHash,
  type Transaction,
  toAmount,
  verifyText,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { type Ecdsa, findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Child, startChild } from '../child.ts'
import { type Goal, type Outcome, outcomeOf, type Score } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import { percentile, seededRandomness } from '../statistics.ts'
import type { Suite, SuiteParameters } from '../suite.ts'

const names = {
  echo: 'bare echo',
  noble: 'thin miner, @noble/secp256k1',
  jsrsasign: 'thin miner, jsrsasign as the publisher',
  hailstone: 'Hailstone',
  'hailstone addon': 'Hailstone with the addon',
  'hailstone unchecked': 'Hailstone, no payment verified',
  'hailstone addon unchecked': 'Hailstone with the addon, no payment verified',
} as const
type Kind = keyof typeof names
const kinds = Object.keys(names) as readonly Kind[]

type Beacon = { readonly text: string; readonly hash: Hash }
type Miner = { readonly kind: Kind; readonly child: Child; readonly socket: WebSocket }

const payer = parsePrivateKey(sha256Hex('benchmark payer'))
const [from, to] = [addressOf(payer), addressOf(parsePrivateKey(sha256Hex('benchmark payee')))]
let nextNonce = 1

function payment({ signText }: Ecdsa): Transaction {
  const fields = {
    amount: toAmount(10_000_000_000n),
    data: '',
    from,
    nonce: nextNonce++,
    tokenId: ZERO_TOKEN_ID,
    to,
  }
  return { ...fields, signature: signText(signingHash(fields), payer) }
}

/** A beacon that nobody has seen: payments are signed anew, so that nothing can be remembered. */
function beacon(publisher: Address, count: number, ecdsa: Ecdsa): Beacon {
  const transactions = Array.from({ length: count }, () => payment(ecdsa))
  const content = { keyBlockHash: sha256Hex('key block'), publisher, nonce: 1, transactions }
  const hash = microblockHash(content)
  return { hash, text: formatBeacon({ leaderId: '1', microblockHash: hash, content }) }
}

/** @throws {Error} when what came is not our publication of that microblock */
function assertPublished(kind: Kind, text: string, { hash }: Beacon, address: Address): void {
  if (kind === 'echo') return
  const message = parseClientMessage(text)
  const { data } = message as {
    readonly data?: { readonly microblockHash: Hash; readonly signature: string }
  }
  const signed = publicationText({ microblockHash: hash, referralAgent: undefined, tokenId: ZERO_TOKEN_ID })
  const isRight =
    message.kind === 'publish' &&
    data?.microblockHash === hash &&
    verifyText({ text: signed, signature: data.signature, address })
  if (!isRight) throw new Error(`${names[kind]} gives a wrong answer: ${text.slice(0, 200)}`)
}

async function answered(
  socket: WebSocket,
  text: string,
): Promise<{ readonly ms: number; readonly answer: string }> {
  const coming = once(socket, 'message')
  const startedAt = performance.now()
  socket.send(text)
  const [frame] = await coming
  return { ms: performance.now() - startedAt, answer: String(frame) }
}

type Measure = SuiteParameters & {
  readonly id: string
  readonly title: string
  readonly transactions: number
  readonly samples: number
  readonly goals: readonly Goal[]
}

async function openMiners(kinds: readonly Kind[], server: WebSocketServer): Promise<readonly Miner[]> {
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const miners: Miner[] = []
  for (const kind of kinds) {
    const child = startChild('miner')
    const connected = once(server, 'connection')
    await child.ask('start', { kind, url })
    const [socket] = (await connected) as [WebSocket]
    // The first frame of each is its hail or its 'ready'.
    await once(socket, 'message')
    miners.push({ kind, child, socket })
  }
  return miners
}

const WARMING = 30

async function measure(parameters: Measure): Promise<Outcome> {
  const { id, title, transactions, samples, goals, settings, tell } = parameters
  const ecdsa = (await findAcceleratedEcdsa()) ?? defaultEcdsa
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  await once(server, 'listening')
  const miners = await openMiners(kinds, server)
  const address = (await miners[0]?.child.ask<Address>('address')) as Address
  const taken = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]))
  const pressures: (number | null)[] = []
  let wasQuiet = await quietMachine(settings)
  const randomness = seededRandomness(samples)
  for (let round = -1; round < settings.rounds; round++) {
    const count = round < 0 ? Math.min(WARMING, samples) : Math.ceil(samples / settings.rounds)
    const beacons = Array.from({ length: count }, () => beacon(address, transactions, ecdsa))
    pressures.push(cpuPressure())
    const order = [...miners].sort(() => randomness() - 0.5)
    for (const { kind, socket } of order) {
      const answers: string[] = []
      for (const { text } of beacons) {
        const { ms, answer } = await answered(socket, text)
        answers.push(answer)
        if (round >= 0) taken.get(kind)?.push(ms)
      }
      for (const [at, one] of beacons.entries()) assertPublished(kind, answers[at] ?? '', one, address)
    }
    pressures.push(cpuPressure())
    wasQuiet &&= pressures.slice(-2).every(isQuiet)
    tell(round < 0 ? `${id} warmed up` : `${id} round ${round + 1} of ${settings.rounds}`)
  }
  for (const { child } of miners) await child.end()
  server.close()
  const scores: Score[] = kinds.map((kind) => {
    const all = taken.get(kind) ?? []
    const highest = all.length >= 1_000 ? 99 : 90
    return { name: names[kind], samples: all, note: `p${highest} ${percentile(all, highest).toFixed(1)} ms` }
  })
  return outcomeOf({ id, title, unit: 'ms', isMoreBetter: false, scores, goals, pressures, wasQuiet })
}

const tenGoals: readonly Goal[] = [
  {
    what: "median against the publisher's signature",
    over: names.hailstone,
    under: names.jsrsasign,
    atMost: 1 / 20,
  },
  {
    what: 'the same with the addon',
    over: names['hailstone addon'],
    under: names.jsrsasign,
    atMost: 1 / 20,
  },
  {
    what: 'the same, no payment verified as by the publisher',
    over: names['hailstone unchecked'],
    under: names.jsrsasign,
    atMost: 1 / 20,
  },
  { what: 'median against the echo, pure JavaScript', over: names.hailstone, under: names.echo, atMost: 4 },
  {
    what: 'median against the echo, with the addon',
    over: names['hailstone addon'],
    under: names.echo,
    atMost: 2,
  },
]

const thousandGoals: readonly Goal[] = [
  {
    what: "median against the publisher's way",
    over: names.hailstone,
    under: names.jsrsasign,
    atMost: 1 / 4,
  },
  {
    what: 'the same, no payment verified as by the publisher',
    over: names['hailstone addon unchecked'],
    under: names.jsrsasign,
    atMost: 1 / 4,
  },
  {
    what: 'median against the echo, with the addon',
    over: names['hailstone addon'],
    under: names.echo,
    atMost: 3.5,
  },
]

export const beaconLatency: Suite = {
  name: 'beacon',
  what: 'P-4 and P-5: from beacon to publication',
  run: async (parameters) => [
    await measure({
      ...parameters,
      id: 'P-4',
      title: 'From beacon to publication, 10 payments',
      transactions: 10,
      samples: 1_000,
      goals: tenGoals,
    }),
    await measure({
      ...parameters,
      id: 'P-5',
      title: 'From beacon to publication, 1,000 payments',
      transactions: 1_000,
      samples: 45,
      goals: thousandGoals,
    }),
  ],
}
