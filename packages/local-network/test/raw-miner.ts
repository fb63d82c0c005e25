import {
  type Address,
  addressOf,
  hailHash,
  type JsonValue,
  type PrivateKey,
  parseJson,
  publicationText,
  signText,
} from '@hailstone/protocol'
import WebSocket from 'ws'
import { nativeToken } from './native-token.ts'

type Data = { readonly [name: string]: JsonValue | undefined }
export type Frame = { readonly method?: string; readonly err?: string; readonly data?: Data }

/** A miner that writes its frames by hand: the second reading of the protocol beside the gateway's own. */
export type RawMiner = {
  readonly address: Address
  readonly frames: readonly Frame[]
  readonly socket: WebSocket
  readonly send: (text: string | Buffer) => void
  readonly hail: (more?: Data) => void
  /** The next frame that has not been waited for. */
  readonly next: (timeoutMs?: number) => Promise<Frame>
  readonly publish: (beacon: Frame, more?: PublishOptions) => string
  /** Signs every beacon from now on. */
  readonly mine: (more?: PublishOptions) => void
  /** Code of the closing. */
  readonly closed: Promise<number>
  readonly isOpen: () => boolean
  readonly close: () => void
}

type PublishOptions = {
  readonly referrer?: string | undefined
  readonly token?: string | undefined
  readonly change?: Data | undefined
  /** Makes another signature of the right one. */
  readonly turn?: ((signature: string) => string) | undefined
}

export async function rawMiner(
  url: string,
  {
    privateKey,
    token = nativeToken(),
    host = new URL(url).hostname,
  }: {
    readonly privateKey: PrivateKey
    readonly token?: string
    /** Host that the miner says it connects to, and hails. */
    readonly host?: string
  },
): Promise<RawMiner> {
  const socket = new WebSocket(url, { headers: { host: `${host}:${new URL(url).port}` } })
  const frames: Frame[] = []
  const waiting: ((frame: Frame) => void)[] = []
  const unread: Frame[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  let answer: ((frame: Frame) => void) | null = null
  socket.on('error', () => {})
  socket.on('message', (data) => {
    const frame = parseJson(String(data)) as Frame
    frames.push(frame)
    const waiter = waiting.shift()
    if (waiter === undefined) unread.push(frame)
    else waiter(frame)
    if (frame.method === 'on_leader_beacon') answer?.(frame)
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const address = addressOf(privateKey)
  const send = (text: string | Buffer) => socket.send(text)
  const publish = (beacon: Frame, more: PublishOptions = {}): string => {
    const hash = String(beacon.data?.m_hash)
    const tokenId = more.token ?? token
    const content = beacon.data?.mblock_data as Data
    const text = publicationText({ microblockHash: hash, referralAgent: more.referrer, tokenId })
    const data = {
      kblocks_hash: content.kblocks_hash,
      m_hash: hash,
      ...(more.referrer === undefined ? {} : { referrer: more.referrer }),
      sign: (more.turn ?? String)(signText(text, privateKey)),
      id: address,
      token: tokenId,
      ...more.change,
    }
    send(JSON.stringify({ ver: 4, method: 'publish', data }))
    return hash
  }
  return {
    address,
    frames,
    socket,
    send,
    hail(more = {}) {
      const hash = hailHash(host)
      const data = { hash, id: address, token, sign: signText(hash, privateKey), ...more }
      send(JSON.stringify({ ver: 4, method: 'hail', data }))
    },
    next(timeoutMs = 120_000) {
      const frame = unread.shift()
      if (frame !== undefined) return Promise.resolve(frame)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no frame within ${timeoutMs} ms`)), timeoutMs)
        waiting.push((next) => {
          clearTimeout(timer)
          resolve(next)
        })
      })
    },
    publish,
    mine(more) {
      answer = (frame) => void publish(frame, more)
      for (const frame of unread.splice(0)) if (frame.method === 'on_leader_beacon') answer(frame)
    },
    closed,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.close(),
  }
}
