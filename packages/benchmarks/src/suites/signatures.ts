import { createHash } from 'node:crypto'
import {
  addressOf,
  defaultEcdsa,
  derToCompact,
  type PrivateKey,
  parsePrivateKey,
  sha256Hex,
  signText,
  verifyText,
} from '@hailstone/protocol'
import { type Ecdsa, findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import * as noble from '@noble/secp256k1'
import { type Contestant, holdContest } from '../contest.ts'
import { type Goal, type Outcome, outcomeOf } from '../outcome.ts'
import { peer, peerVersion } from '../peers.ts'
import type { Suite, SuiteParameters } from '../suite.ts'

const key: PrivateKey = parsePrivateKey(sha256Hex('benchmark key'))
const keyBytes = Uint8Array.from(Buffer.from(key, 'hex'))
const text = sha256Hex('benchmark text')
const textBytes = new TextEncoder().encode(text)
const digest = (): Uint8Array => createHash('sha256').update(text).digest()
const address = addressOf(key)
const publicKey = Uint8Array.from(Buffer.from(address, 'hex'))
const signature = signText(text, key)
const compact = derToCompact(Uint8Array.from(Buffer.from(signature, 'hex')))

type Arithmetic = {
  readonly name: string
  readonly version?: string | undefined
  /** Gives DER or compact bytes, or their hex. */
  readonly sign?: (() => unknown) | undefined
  readonly verify?: (() => boolean) | undefined
}

const repeated =
  (work: () => unknown) =>
  (times: number): void => {
    for (let time = 0; time < times; time++) work()
  }

/** A signature is right when the network's own rule accepts it, whatever the form a library gives it in. */
function isRight(given: unknown): boolean {
  const hex = typeof given === 'string' ? given : Buffer.from(given as Uint8Array).toString('hex')
  return (
    hex === signature ||
    hex === Buffer.from(compact).toString('hex') ||
    verifyText({ text, signature: hex, address })
  )
}

function elliptic(): Arithmetic {
  type Key = {
    readonly sign: (hash: Uint8Array) => { readonly toDER: (form: 'hex') => string }
    readonly verify: (hash: Uint8Array, signature: string) => boolean
  }
  const { ec: Curve } = peer<{
    readonly ec: new (name: string) => { readonly keyFromPrivate: (hex: string) => Key }
  }>('elliptic')
  const pair = new Curve('secp256k1').keyFromPrivate(key)
  return {
    name: "elliptic, the web library's",
    version: peerVersion('elliptic'),
    sign: () => pair.sign(digest()).toDER('hex'),
    verify: () => pair.verify(digest(), signature),
  }
}

function jsrsasign(): Arithmetic {
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
  const sign = (): string => {
    const signer = new KJUR.crypto.Signature({ alg: 'SHA256withECDSA' })
    signer.init({ d: key, curve: 'secp256k1' })
    signer.updateString(text)
    return signer.sign()
  }
  return { name: "jsrsasign, the publisher's", version: peerVersion('jsrsasign'), sign }
}

function ethers(): Arithmetic {
  type Key = { readonly sign: (hash: Uint8Array) => { readonly r: string; readonly s: string } }
  const { SigningKey } = peer<{ readonly SigningKey: new (key: string) => Key }>('ethers')
  const pair = new SigningKey(`0x${key}`)
  const sign = (): string => {
    const { r, s } = pair.sign(digest())
    return r.slice(2) + s.slice(2)
  }
  return { name: 'ethers', version: peerVersion('ethers'), sign }
}

function addon(): Arithmetic {
  const { ecdsaSign, ecdsaVerify } = peer<{
    readonly ecdsaSign: (hash: Uint8Array, key: Uint8Array) => { readonly signature: Uint8Array }
    readonly ecdsaVerify: (signature: Uint8Array, hash: Uint8Array, key: Uint8Array) => boolean
  }>('secp256k1')
  return {
    name: 'secp256k1, the addon alone',
    version: peerVersion('secp256k1'),
    sign: () => ecdsaSign(digest(), keyBytes).signature,
    verify: () => ecdsaVerify(compact, digest(), publicKey),
  }
}

function webAssembly(): Arithmetic {
  const { sign, verify } = peer<{
    readonly sign: (hash: Uint8Array, key: Uint8Array) => Uint8Array
    readonly verify: (hash: Uint8Array, key: Uint8Array, signature: Uint8Array) => boolean
  }>('tiny-secp256k1')
  return {
    name: 'tiny-secp256k1, the WebAssembly alone',
    version: peerVersion('tiny-secp256k1'),
    sign: () => sign(digest(), keyBytes),
    verify: () => verify(digest(), publicKey, compact),
  }
}

const bare: Arithmetic = {
  name: '@noble/secp256k1 alone',
  sign: () => noble.sign(textBytes, keyBytes),
  verify: () => noble.verify(compact, textBytes, publicKey),
}

const ours = (name: string, ecdsa: Ecdsa): Arithmetic => ({
  name,
  sign: () => ecdsa.signText(text, key),
  verify: () => ecdsa.verifyText({ text, signature, address }),
})

/** Whatever cannot be loaded on this machine is named and left out. */
function present(makers: readonly (() => Arithmetic)[], tell: (line: string) => void): readonly Arithmetic[] {
  return makers.flatMap((make) => {
    try {
      return [make()]
    } catch (error) {
      tell(`left out: ${String(error)}`)
      return []
    }
  })
}

const signingGoals: readonly Goal[] = [
  {
    what: 'pure JavaScript against its arithmetic alone',
    over: 'Hailstone',
    under: bare.name,
    atLeast: 0.95,
  },
  {
    what: "pure JavaScript against the web library's",
    over: 'Hailstone',
    under: "elliptic, the web library's",
    atLeast: 1.3,
  },
  {
    what: "pure JavaScript against the publisher's",
    over: 'Hailstone',
    under: "jsrsasign, the publisher's",
    atLeast: 50,
  },
  {
    what: 'with the addon against the addon alone',
    over: 'Hailstone with the addon',
    under: 'secp256k1, the addon alone',
    atLeast: 0.9,
  },
  {
    what: 'with the WebAssembly against it alone',
    over: 'Hailstone with the WebAssembly',
    under: 'tiny-secp256k1, the WebAssembly alone',
    atLeast: 0.9,
  },
  {
    what: 'with the WebAssembly against ethers',
    over: 'Hailstone with the WebAssembly',
    under: 'ethers',
    atLeast: 4,
  },
]

const verifyingGoals: readonly Goal[] = [
  {
    what: "on Node against the web library's",
    over: 'Hailstone',
    under: "elliptic, the web library's",
    atLeast: 4,
  },
]

async function contest(
  parameters: SuiteParameters & {
    readonly id: string
    readonly title: string
    readonly contestants: readonly Contestant[]
    readonly goals: readonly Goal[]
  },
): Promise<Outcome> {
  const { contestants, settings, tell, id, title, goals } = parameters
  const { samples, pressures, wasQuiet } = await holdContest({
    contestants,
    settings,
    onRound: (round) => tell(`${id} round ${round + 1} of ${settings.rounds}`),
  })
  const scores = contestants.map(({ name, version }) => ({ name, version, samples: samples.get(name) ?? [] }))
  return outcomeOf({ id, title, unit: '/CPU s', isMoreBetter: true, scores, goals, pressures, wasQuiet })
}

export const signatures: Suite = {
  name: 'signatures',
  what: 'P-1 and P-2: signing and verifying one text',
  run: async (parameters) => {
    const [byAddon, byWebAssembly] = [
      await findAcceleratedEcdsa({ packages: ['secp256k1'] }),
      await findAcceleratedEcdsa({ packages: ['tiny-secp256k1'] }),
    ]
    const all = [
      ours('Hailstone', defaultEcdsa),
      ...(byAddon ? [ours('Hailstone with the addon', byAddon)] : []),
      ...(byWebAssembly ? [ours('Hailstone with the WebAssembly', byWebAssembly)] : []),
      bare,
      ...present([elliptic, jsrsasign, ethers, addon, webAssembly], parameters.tell),
    ]
    const signers = all.flatMap(({ name, version, sign }) =>
      sign === undefined ? [] : [{ name, version, run: repeated(sign), check: () => isRight(sign()) }],
    )
    const verifiers = all.flatMap(({ name, version, verify }) =>
      verify === undefined ? [] : [{ name, version, run: repeated(verify), check: verify }],
    )
    return [
      await contest({
        ...parameters,
        id: 'P-1',
        title: 'Sign one text',
        contestants: signers,
        goals: signingGoals,
      }),
      await contest({
        ...parameters,
        id: 'P-2',
        title: 'Verify one signature',
        contestants: verifiers,
        goals: verifyingGoals,
      }),
    ]
  },
}
