/** One miner in a process of its own, of the kind named by its argument. It answers beacons until its parent is gone. */
import { createHash } from 'node:crypto'
import { walletFromPrivateKey } from '@hailstone/client'
import { createMiningSession } from '@hailstone/mining-node'
import {
  type Address,
  addressOf,
  formatPublication,
  type Hash,
  type PrivateKey,
  parsePrivateKey,
  publicationText,
  type Signature,
  sha256Hex,
  signText,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { WebSocket } from 'ws'
import { answerParent } from '../child.ts'
import { peer } from '../peers.ts'

const privateKey = parsePrivateKey(sha256Hex('benchmark miner'))
const address = addressOf(privateKey)

type Work = { readonly keyBlockHash: Hash; readonly microblockHash: Hash }
type Sign = (text: string, key: PrivateKey) => string
type Start = (url: string) => Promise<void> | void

/** Answers each frame with what `reply` makes of it, over a bare socket. */
const bareSocket =
  (reply: (frame: string) => string): Start =>
  (url) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.on('open', () => socket.send('ready'))
    socket.on('message', (frame) => socket.send(reply(String(frame))))
  }

type OfferedOnWire = Readonly<Record<'amount' | 'data' | 'from' | 'nonce' | 'sign' | 'ticker' | 'to', string>>
type BeaconOnWire = {
  readonly data: {
    readonly m_hash: Hash
    readonly mblock_data: { readonly kblocks_hash: Hash; readonly txs: readonly OfferedOnWire[] }
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Works like the public clients: hashes the payments, verifies none of them, and signs. */
const thinMiner = (sign: Sign): Start =>
  bareSocket((frame) => {
    const { m_hash: microblockHash, mblock_data } = (JSON.parse(frame) as BeaconOnWire).data
    const hashes = mblock_data.txs.map((one) =>
      digest(
        [one.amount, one.data, one.from, one.nonce, one.sign, one.ticker, one.to]
          .map((field) => digest(field.toLowerCase()))
          .join(''),
      ),
    )
    digest(hashes.sort().join(''))
    return published({ keyBlockHash: mblock_data.kblocks_hash, microblockHash }, sign)
  })

function published({ keyBlockHash, microblockHash }: Work, sign: Sign): string {
  const tokenId = ZERO_TOKEN_ID
  const text = publicationText({ microblockHash, referralAgent: undefined, tokenId })
  const signature = sign(text, privateKey) as Signature
  return formatPublication({ keyBlockHash, microblockHash, signature, address, tokenId })
}

type Ours = {
  readonly packages?: readonly 'secp256k1'[]
  /** Takes every payment for signed, as the public clients do; to see what the check costs, and nothing else. */
  readonly isUnchecked?: boolean
}

const hailstone =
  ({ packages, isUnchecked = false }: Ours = {}): Start =>
  async (url) => {
    const ecdsa = packages && (await findAcceleratedEcdsa({ packages }))
    if (packages !== undefined && ecdsa === undefined) throw new Error('there is no addon')
    const wallet = walletFromPrivateKey(privateKey, { ecdsa })
    const verify = isUnchecked ? () => true : ecdsa?.verifyText
    createMiningSession({ wallet, gatewayUrl: url, verify }).start()
  }

/** jsrsasign signs with a new object each time, as the publisher does. */
const jsrsasign: Start = (url) => {
  type Signer = {
    readonly init: (key: { readonly d: string; readonly curve: string }) => void
    readonly updateString: (text: string) => void
    readonly sign: () => string
  }
  const { KJUR } = peer<{
    readonly KJUR: {
      readonly crypto: { readonly Signature: new (given: { readonly alg: string }) => Signer }
    }
  }>('jsrsasign')
  return thinMiner((text, key) => {
    const signer = new KJUR.crypto.Signature({ alg: 'SHA256withECDSA' })
    signer.init({ d: key, curve: 'secp256k1' })
    signer.updateString(text)
    return signer.sign()
  })(url)
}

const kinds: Readonly<Record<string, Start>> = {
  echo: bareSocket(() => `echo ${'x'.repeat(420)}`),
  noble: thinMiner(signText),
  jsrsasign,
  hailstone: hailstone(),
  'hailstone addon': hailstone({ packages: ['secp256k1'] }),
  'hailstone unchecked': hailstone({ isUnchecked: true }),
  'hailstone addon unchecked': hailstone({ packages: ['secp256k1'], isUnchecked: true }),
}

answerParent({
  address: (): Address => address,
  start: async ({ kind, url }: { readonly kind: string; readonly url: string }) => {
    const start = kinds[kind]
    if (start === undefined) throw new RangeError(`no miner is called ${kind}`)
    await start(url)
  },
})
