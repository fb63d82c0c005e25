import type { DevelopmentAccount } from '@hailstone/ledger'
import { hailHash, publicationText, signText } from '@hailstone/protocol'
import WebSocket from 'ws'
import { type QuickNetwork, quickNetwork } from '../quick-network.ts'
import { createFuzzLog, type FuzzReport } from './fuzz-report.ts'
import { nastyCopy, nastyJson, nastyText, nastyValue } from './nasty.ts'
import { type Chance, chance } from './random.ts'

const MESSAGES = ['hail', 'publish', 'peer', 'unknown'] as const
type Message = (typeof MESSAGES)[number]

type Miner = {
  readonly socket: WebSocket
  /** The newest beacon, as it came. */
  readonly beacon: () => Beacon | null
  /** Resolves when everything sent before was read, or the connection ended. */
  readonly settled: () => Promise<void>
  readonly isOpen: () => boolean
}

type Beacon = {
  readonly data?: { readonly m_hash?: string; readonly mblock_data?: { readonly kblocks_hash?: string } }
}

async function connect(url: string): Promise<Miner> {
  const socket = new WebSocket(url)
  let beacon: Beacon | null = null
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('message', (text) => {
    beacon = JSON.parse(String(text)) as Beacon
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    socket,
    beacon: () => beacon,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    async settled() {
      if (socket.readyState !== WebSocket.OPEN) return ended
      const answered = new Promise<void>((resolve) => socket.once('pong', () => resolve()))
      socket.ping()
      await Promise.race([answered, ended])
    },
  }
}

const envelope = (method: string, data: unknown) => ({ ver: 4, method, data })

function hail({ address, privateKey }: DevelopmentAccount, token: string) {
  const hash = hailHash('127.0.0.1')
  return envelope('hail', { hash, id: address, token, sign: signText(hash, privateKey) })
}

function publish({ address, privateKey }: DevelopmentAccount, token: string, beacon: Beacon | null) {
  const hash = beacon?.data?.m_hash ?? 'ab'.repeat(32)
  const text = publicationText({ microblockHash: hash, referralAgent: undefined, tokenId: token })
  return envelope('publish', {
    kblocks_hash: beacon?.data?.mblock_data?.kblocks_hash ?? 'cd'.repeat(32),
    m_hash: hash,
    sign: signText(text, privateKey),
    id: address,
    token,
  })
}

function rightMessage(message: Message, account: DevelopmentAccount, token: string, beacon: Beacon | null) {
  if (message === 'hail') return hail(account, token)
  if (message === 'publish') return publish(account, token, beacon)
  if (message === 'peer') return envelope('peer', { ip: '127.0.0.1', port: 1 })
  return envelope('no_such_method', {})
}

function frame(luck: Chance, right: unknown): string | Buffer {
  if (luck.isLucky(0.03)) return Buffer.from(Array.from({ length: luck.below(200) }, () => luck.below(256)))
  if (luck.isLucky(0.03)) return nastyText(luck, ['{}'])
  const value = luck.isLucky(0.05) ? nastyValue(luck) : nastyCopy(luck, right)
  const text = nastyJson(luck, value)
  return luck.isLucky(0.001) ? text + ' '.repeat(100_000) : text
}

/** Connects, sometimes introduces itself properly first, as a session that goes wrong later. */
async function session(luck: Chance, network: QuickNetwork, account: DevelopmentAccount): Promise<Miner> {
  const miner = await connect(network.url)
  if (luck.isLucky(0.7)) {
    miner.socket.send(JSON.stringify(hail(account, network.genesis.tokens.native.id)))
    await miner.settled()
  }
  return miner
}

/** After all of it somebody else introduces itself, gets a beacon, and has its answer taken. */
async function isStillServing(network: QuickNetwork): Promise<boolean> {
  const account = network.genesis.accounts.developers[1]
  if (account === undefined) return false
  await network.producer.closeNow()
  const token = network.genesis.tokens.native.id
  const accepted = new Promise<boolean>((resolve) => {
    network.on('microblockAccepted', ({ publisher }) => resolve(publisher === account.address))
    setTimeout(() => resolve(false), 5000).unref()
  })
  const miner = await connect(network.url)
  miner.socket.send(JSON.stringify(hail(account, token)))
  miner.socket.on('message', () => miner.socket.send(JSON.stringify(publish(account, token, miner.beacon()))))
  const isServed = await accepted
  miner.socket.terminate()
  return isServed
}

/** Sends so many frames of each kind to a real gateway. */
export async function fuzzGateway(parameters: {
  readonly seed: number
  readonly casesPerMessage: number
}): Promise<FuzzReport> {
  const log = createFuzzLog()
  await using network = await quickNetwork()
  const [account] = network.genesis.accounts.developers
  if (account === undefined) throw new Error('there are five developers')
  const token = network.genesis.tokens.native.id
  for (const [at, message] of MESSAGES.entries()) {
    const luck = chance(parameters.seed * 7919 + at)
    let miner = await session(luck, network, account)
    for (let number = 0; number < parameters.casesPerMessage; number++) {
      if (!miner.isOpen()) miner = await session(luck, network, account)
      const sent = frame(luck, rightMessage(message, account, token, miner.beacon()))
      await log.timed(`${message}: ${String(sent).slice(0, 300)}`, async () => {
        if (miner.isOpen()) miner.socket.send(sent)
        await miner.settled()
      })
      log.count(message, miner.isOpen() ? 'goes on' : 'cut off')
      if (number % 500 === 499) await network.producer.closeNow()
    }
    miner.socket.terminate()
  }
  if (!(await isStillServing(network))) log.fail('the gateway no longer serves an honest miner')
  return log.report()
}
