import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addressOf,
  formatBeacon,
  formatRefusal,
  microblockHash,
  parseAddress,
  parsePrivateKey,
  sha256Hex,
  signingHash,
  signText,
  type Transaction,
  toAmount,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Attack, AttackContext, Figure } from '../attack.ts'
import { startChild } from '../child.ts'
import type { MinerFigures } from '../hostile-gateway-miner.ts'

const LARGEST = 512 * 1024
const OVERSIZE = 4 * 1024 * 1024

const full = (begin: string, part: string, size = LARGEST): string =>
  begin + part.repeat(Math.floor((size - begin.length) / part.length))

type MakeFrame = (publisher: string, count: number) => string | Buffer

const fixed =
  (frame: string | Buffer): MakeFrame =>
  () =>
    frame

const payer = parsePrivateKey(sha256Hex('payer of the hostile gateway'))

function payment(nonce: number): Transaction {
  const [from, to] = [addressOf(payer), addressOf(parsePrivateKey(sha256Hex('payee')))]
  const fields = { amount: toAmount(10n ** 10n), data: '', from, to, nonce, tokenId: ZERO_TOKEN_ID }
  return { ...fields, signature: signText(signingHash(fields), payer) }
}

/** Valid beacons, each unlike the last, of as many payments that were never verified before as there are. */
function beacons(length: number): MakeFrame {
  const payments = Array.from({ length: 40 * length }, (_, nonce) => payment(nonce))
  return (publisher, count) => {
    const from = (Math.abs(count) % 40) * length
    const content = {
      keyBlockHash: sha256Hex(`key block ${count}`),
      publisher: parseAddress(publisher),
      nonce: 1,
      transactions: payments.slice(from, from + length),
    }
    return formatBeacon({ leaderId: '1', microblockHash: microblockHash(content), content })
  }
}

/** Frames that a hostile gateway sends without end, by name. */
const frames: Readonly<Record<string, () => MakeFrame>> = {
  digits: () => fixed(full('', '1')),
  colons: () => fixed(full('', ':')),
  brackets: () => fixed(full('', '[')),
  'small numbers': () => fixed(full('[', '1,')),
  'members of one name': () => fixed(full('{', '"a":1.5,')),
  backslashes: () => fixed(full('"', '\\\\')),
  'one long text': () => fixed(`{"ver":4,"method":"later","data":"${'x'.repeat(LARGEST - 100)}"}`),
  'a beacon of empty payments': () => {
    const list = Array(16_000).fill('{}').join()
    return fixed(`{"ver":4,"method":"on_leader_beacon","data":{"mblock_data":{"txs":[${list}]}}}`)
  },
  'frames of 4 MiB': () => fixed(full('', '1', OVERSIZE)),
  'binary frames': () => fixed(Buffer.alloc(1024)),
  'small valid beacons': () => beacons(1),
  'beacons of 50 payments': () => beacons(50),
}

const WARM_UP_MS = 3000
const HIGH_WATER_BYTES = 8 * 1024 * 1024

/** Honest beacons come so often, in ms. */
const HONEST_EVERY_MS = 20

/**
 * Sends honest beacons until the flood is said to begin, and then frames to every miner that hails until it leaves, as
 * fast as they are read.
 */
function startGateway(
  frameOf: MakeFrame,
  { onEnd }: Pick<AttackContext, 'onEnd'>,
  isFlooding: () => boolean = () => true,
): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: true })
  let count = 0
  const flood = async (socket: WebSocket, publisher: string): Promise<void> => {
    const honest = beacons(1)
    for (let number = 1; socket.readyState === socket.OPEN && !isFlooding(); number++) {
      socket.send(honest(publisher, -number))
      await sleep(HONEST_EVERY_MS)
    }
    while (socket.readyState === socket.OPEN) {
      for (let burst = 0; burst < 50 && socket.bufferedAmount < HIGH_WATER_BYTES; burst++)
        socket.send(frameOf(publisher, count++), { compress: false })
      await sleep(1)
    }
  }
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.once('message', (data) => void flood(socket, JSON.parse(String(data)).data.id))
  })
  onEnd(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return new Promise((resolve) =>
    server.once('listening', () => resolve(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}

async function attackWith(
  name: string,
  frameOf: MakeFrame,
  context: AttackContext,
): Promise<readonly Figure[]> {
  const miner = startChild('hostile-gateway-miner')
  context.onEnd(miner.end)
  let isFlooding = false
  const gatewayUrl = await startGateway(frameOf, context, () => isFlooding)
  await miner.ask('start', { gatewayUrls: [gatewayUrl] })
  // The first signatures of a process make tables and are compiled, whatever the gateway sends.
  await sleep(WARM_UP_MS, undefined, { signal: context.signal })
  const { published } = await miner.ask<MinerFigures>('figures')
  await miner.ask('reset')
  isFlooding = true
  await sleep(1000 * Math.min(5, context.seconds), undefined, { signal: context.signal })
  const figures = await miner.ask<MinerFigures>('figures')
  await miner.end()
  context.say(`${name}: ${figures.status}, ${figures.why}`)
  return [
    {
      name: `${name}: processor time of the longest turn`,
      value: figures.longestTurnMs,
      unit: 'ms',
      atMost: 100,
    },
    { name: `${name}: published before`, value: published, unit: '', atLeast: 1 },
    { name: `${name}: longest gap, other processes included`, value: figures.longestGapMs, unit: 'ms' },
    { name: `${name}: processor share`, value: 100 * figures.cpuShare, unit: '%', atMost: 60 },
    { name: `${name}: faults of the gateway`, value: figures.faults, unit: '' },
    { name: `${name}: memory of the miner`, value: figures.memoryMB, unit: 'MB', atMost: 400 },
  ]
}

export const hostileGateway: Attack = {
  name: 'hostile-gateway',
  row: 'A-12',
  what: 'a gateway sends frames that are dear to read, as fast as they are taken',
  async run(context) {
    const figures: Figure[] = []
    for (const [name, make] of Object.entries(frames))
      figures.push(...(await attackWith(name, make(), context)))
    return figures
  },
}

/** A stranger who hails with the miner's address evicts it each time; it must neither stop nor fight. */
export const duplicateKeyHails: Attack = {
  name: 'duplicate-key-hails',
  row: 'A-9',
  what: 'each hail of a miner is answered with ERR_DUPLICATE_KEY',
  async run(context) {
    const miner = startChild('hostile-gateway-miner')
    context.onEnd(miner.end)
    let evictions = 0
    const gatewayUrl = await startGateway(() => {
      evictions++
      return formatRefusal('ERR_DUPLICATE_KEY')
    }, context)
    await miner.ask('start', { gatewayUrls: [gatewayUrl] })
    await sleep(1000 * context.seconds, undefined, { signal: context.signal })
    const { stops, status, why } = await miner.ask<MinerFigures>('figures')
    context.say(`${status}: ${why}`)
    return [
      { name: 'ends of the miner', value: stops, unit: '', atMost: 0 },
      { name: 'waits for its turn', value: status === 'waiting' ? 1 : 0, unit: '', atLeast: 1 },
      { name: 'evictions sent', value: evictions, unit: '' },
    ]
  },
}
