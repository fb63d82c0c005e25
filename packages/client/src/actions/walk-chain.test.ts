import { type Hash, isNodeError, legacyMerkleRoot, merkleRoot, parseHash } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../test/support/manual-clock.ts'
import { recordedChain } from '../../test/support/recorded-chain.ts'
import { scriptedTransport } from '../../test/support/scripted-transport.ts'
import { type Client, createClient, networks, type TransportRequest, type WalkedMacroblock } from '../node.ts'
import type { ChainHole, WalkChainParameters } from './walk-chain.ts'

const chainOf = (answers: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const body = answers.get('/macroblock_by_height?height=3') ?? ''
  const hash = /"kblock":\{"hash":"([^"]+)"/.exec(body)?.[1]
  // Asked by hash, a macroblock shows its snapshot too; not every one was recorded so.
  return new Map([...answers, [`/macroblock?hash=${hash}`, body.replace(/\}$/, ',"snapshot_hash":null}')]])
}

const recorded = chainOf(recordedChain())
const open = recorded.get('/macroblock_by_height?height=7') ?? ''

const targetOf = ({ path, query = '' }: TransportRequest): string =>
  query === '' ? path : `${path}?${query}`

type Change = (target: string, body: string) => string

function chainClient(change: Change = (_, body) => body) {
  const clock = manualClock()
  let running = 0
  let most = 0
  const transport = scriptedTransport(async (request) => {
    running++
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    running--
    const body = recorded.get(targetOf(request))
    return body === undefined
      ? { status: 404, text: '{"err":1,"message":"not there"}' }
      : change(targetOf(request), body)
  })
  const client = createClient({ network: networks.pulse, transport, clock })
  return { client, transport, clock, maxAtOnce: () => most }
}

async function walked(client: Client, parameters: WalkChainParameters): Promise<WalkedMacroblock[]> {
  const macroblocks: WalkedMacroblock[] = []
  for await (const macroblock of client.walkChain(parameters)) macroblocks.push(macroblock)
  return macroblocks
}

const heightsOf = (macroblocks: readonly WalkedMacroblock[]) =>
  macroblocks.map(({ keyBlock }) => keyBlock.height)

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error) => (isNodeError(error) ? [error.code, error.facts] : error),
  )

const inconsistent = (height: number, reason: RegExp) => [
  'CHAIN_INCONSISTENT',
  { height, reason: expect.stringMatching(reason) },
]

describe('walkChain', () => {
  it('gives every calculated macroblock with its microblocks, from below', async () => {
    const { client } = chainClient()
    const chain = await walked(client, { fromHeight: 0 })
    expect(heightsOf(chain)).toStrictEqual([0, 1, 2, 3, 4, 5, 6])
    const listed = chain.map(({ microblocks }) => microblocks.length)
    expect(listed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5)
    for (const { keyBlock, microblocks } of chain) {
      const hashes = microblocks.map(({ header }) => header.hash)
      expect(hashes).toStrictEqual([...hashes].sort())
      expect(microblocks.every(({ header }) => header.keyBlockHash === keyBlock.hash)).toBe(true)
    }
  })

  it('gives the same macroblocks from above', async () => {
    const { client } = chainClient()
    const up = await walked(client, { fromHeight: 2, toHeight: 5 })
    const down = await walked(client, { fromHeight: 5, toHeight: 2, direction: 'down' })
    expect(heightsOf(down)).toStrictEqual([5, 4, 3, 2])
    expect(down.reverse()).toStrictEqual(up)
  })

  it('P-11: keeps to its number of requests at a time', async () => {
    const { client, maxAtOnce } = chainClient()
    await walked(client, { fromHeight: 0, concurrency: 3 })
    expect(maxAtOnce()).toBe(3)
  })

  it('notices a key block that is not linked', async () => {
    const { client } = chainClient((target, body) =>
      target.endsWith('height=3') ? body.replace(/"link":"[0-9a-f]{4}/, '"link":"0000') : body,
    )
    expect(await errorOf(walked(client, { fromHeight: 0 }))).toStrictEqual(inconsistent(3, /not linked/))
  })

  it('notices a wrong amount, nonce or memo in any transaction', async () => {
    for (const [pattern, forged] of [
      [/"amount":(\d)/, '"amount":1$1'],
      [/"nonce":(\d+),"status"/, '"nonce":1,"status"'],
      [/"data":"/, '"data":"x'],
      [/"status":3,"sign":"30/, '"status":3,"sign":"31'],
    ] as const) {
      const { client } = chainClient((target, body) =>
        target.startsWith('/mblock') ? body.replace(pattern, forged) : body,
      )
      expect(await errorOf(walked(client, { fromHeight: 0 }))).toStrictEqual(inconsistent(0, /its fields/))
    }
  })

  it('notices a missing transaction, a wrong publisher and a missing microblock', async () => {
    const withChange = (change: Change) => errorOf(walked(chainClient(change).client, { fromHeight: 0 }))
    const inMicroblock = (change: (body: string) => string) =>
      withChange((target, body) => (target.startsWith('/mblock') ? change(body) : body))
    expect(
      await inMicroblock((body) =>
        body.replace(/"transactions":\[.*\],"header"/, '"transactions":[],"header"'),
      ),
    ).toStrictEqual(inconsistent(0, /0 transactions, listed are 1/))
    expect(
      await inMicroblock((body) =>
        body.replace(/"publisher":"0./, '"publisher":"02').replace(/"publisher":"02../, '"publisher":"02ff'),
      ),
    ).toStrictEqual(inconsistent(0, /hash of its content/))
    expect(await inMicroblock(() => '{"transactions":[]}')).toStrictEqual(inconsistent(0, /cannot be had/))
    expect(
      await inMicroblock((body) => body.replace(/"kblocks_hash":"[^"]+"/, '"kblocks_hash":"BITGENESIS"')),
    ).toStrictEqual(inconsistent(0, /another key block/))
  })

  it('F7: notices another network at block 0', async () => {
    const { client } = chainClient((_, body) => body.replaceAll('ENQGENESIS', 'BITGENESIS'))
    expect(await errorOf(walked(client, { fromHeight: 0, toHeight: 0 }))).toStrictEqual([
      'NETWORK_MISMATCH',
      { expected: 'ENQGENESIS', received: 'BITGENESIS' },
    ])
  })

  it('goes on from an earlier walk only where it is linked', async () => {
    const { client } = chainClient()
    const [third] = await walked(client, { fromHeight: 3, toHeight: 3 })
    const after = third?.keyBlock
    expect(heightsOf(await walked(client, { fromHeight: 4, after }))).toStrictEqual([4, 5, 6])
    const other = { hash: parseHash('ab'.repeat(32)), link: 'ENQGENESIS' as Hash }
    expect(await errorOf(walked(client, { fromHeight: 4, after: other }))).toStrictEqual(
      inconsistent(4, /not linked/),
    )
  })

  it('waits a little for a macroblock that is being calculated', async () => {
    let asked = 0
    const { client, clock } = chainClient((target, body) =>
      target.endsWith('height=6') && asked++ < 2 ? body.replace(/"reward":\d+/, '"reward":null') : body,
    )
    expect(heightsOf(await walked(client, { fromHeight: 5 }))).toStrictEqual([5, 6])
    expect(clock.slept).toStrictEqual([400, 400])
  })

  it('ends before a macroblock that is not calculated, or says so when that one was asked for', async () => {
    expect(open).toContain('"reward":null')
    const { client } = chainClient((target, body) => (target === '/height' ? '{"height":8}' : body))
    expect(heightsOf(await walked(client, { fromHeight: 6 }))).toStrictEqual([6])
    expect(heightsOf(await walked(client, { fromHeight: 7 }))).toStrictEqual([])
    expect(heightsOf(await walked(client, { fromHeight: 9 }))).toStrictEqual([])
    const unavailable = ['HEIGHT_UNAVAILABLE', { height: 7 }]
    expect(await errorOf(walked(client, { fromHeight: 6, toHeight: 7 }))).toStrictEqual(unavailable)
  })

  const inMacroblock = (height: number, change: (body: string) => string): Change => {
    return (target, body) => (target.endsWith(`_by_height?height=${height}`) ? change(body) : body)
  }
  const outcomeOf = (change: Change, parameters: Partial<WalkChainParameters> = {}) =>
    errorOf(walked(chainClient(change).client, { fromHeight: 0, ...parameters }))
  const firstListed = /("mblocks":\[)\{[^}]+\},/

  it('proves from the next key block that nothing was left out', async () => {
    const { client } = chainClient()
    const chain = await walked(client, { fromHeight: 0 })
    // Height 2 has no microblock, for which the public network has no rule.
    expect(chain.map(({ isComplete }) => isComplete)).toStrictEqual([
      true,
      true,
      false,
      true,
      true,
      true,
      true,
    ])
    const down = await walked(client, { fromHeight: 6, direction: 'down' })
    expect(down.reverse()).toStrictEqual(chain)
    expect(await errorOf(walked(client, { fromHeight: 0, requireComplete: true }))).toStrictEqual(
      inconsistent(2, /cannot be proven/),
    )
  })

  it('notices a microblock or statblock that was left out, whichever way it walks', async () => {
    const withoutMicroblock = inMacroblock(3, (body) => body.replace(firstListed, '$1'))
    const swapped = inMacroblock(3, (body) => body.replace(/("sblocks":\[\{"hash":")[0-9a-f]{4}/, '$10000'))
    for (const change of [withoutMicroblock, swapped]) {
      expect(await outcomeOf(change)).toStrictEqual(inconsistent(3, /commits to other/))
      expect(await outcomeOf(change, { fromHeight: 6, direction: 'down' })).toStrictEqual(
        inconsistent(3, /commits to other/),
      )
      expect(await outcomeOf(change, { fromHeight: 3, toHeight: 3 })).toStrictEqual(
        inconsistent(3, /commits to other/),
      )
    }
  })

  it('does not call complete what hides all microblocks', async () => {
    const hiding = inMacroblock(3, (body) => body.replace(/"mblocks":\[.*?\]/, '"mblocks":[]'))
    const { client } = chainClient(hiding)
    const chain = await walked(client, { fromHeight: 3, toHeight: 3 })
    expect(chain.map(({ isComplete }) => isComplete)).toStrictEqual([false])
    expect(await outcomeOf(hiding, { fromHeight: 3, requireComplete: true })).toStrictEqual(
      inconsistent(3, /cannot be proven/),
    )
  })

  it('knows the ledger snapshot and the root of the first years', async () => {
    const [third] = await walked(chainClient().client, { fromHeight: 3, toHeight: 3 })
    if (third === undefined) throw new Error('no macroblock')
    const leaves = {
      microblockHashes: third.microblocks.map(({ header }) => header.hash),
      statBlockHashes: third.statBlocks.map(({ hash }) => hash),
    }
    const snapshotHash = 'ab'.repeat(32)
    const withRoot =
      (root: string, snapshot: string | null): Change =>
      (target, body) => {
        if (target.endsWith('_by_height?height=4'))
          return body.replace(/"m_root":"[0-9a-f]+"/, `"m_root":"${root}"`)
        if (!target.startsWith('/macroblock?')) return body
        return body.replace(/"snapshot_hash":(?:null|"[^"]*")/, `"snapshot_hash":${JSON.stringify(snapshot)}`)
      }
    const isProven = async (change: Change) => {
      const walk = await walked(chainClient(change).client, { fromHeight: 3, toHeight: 3 })
      return walk[0]?.isComplete
    }
    expect(await isProven(withRoot(merkleRoot({ ...leaves, snapshotHash }), snapshotHash))).toBe(true)
    expect(await isProven(withRoot(legacyMerkleRoot(leaves), null))).toBe(true)
    expect(await isProven(withRoot(legacyMerkleRoot({ ...leaves, snapshotHash }), snapshotHash))).toBe(true)
    expect(
      await outcomeOf(withRoot(merkleRoot({ ...leaves, snapshotHash }), null), {
        fromHeight: 3,
        toHeight: 3,
      }),
    ).toStrictEqual(inconsistent(3, /commits to other/))
  })

  it('puts what the network lists in any order into the order of the ledger, and refuses to see it twice', async () => {
    const reversed = inMacroblock(1, (body) => {
      const { mblocks, ...rest } = JSON.parse(body) as { readonly mblocks: readonly unknown[] }
      return JSON.stringify({ ...rest, mblocks: [...mblocks].reverse() })
    })
    const right = await walked(chainClient().client, { fromHeight: 0 })
    const turned = await walked(chainClient(reversed).client, { fromHeight: 0 })
    const listed = turned.map(({ keyBlock, isListedInOrder }) => [keyBlock.height, isListedInOrder])
    // Some of the recorded ones come in another order, too.
    const recorded = right.map(({ keyBlock: { height }, isListedInOrder }) => [height, isListedInOrder])
    expect(recorded[1]).toStrictEqual([1, true])
    expect(listed).toStrictEqual(recorded.map(([height, isRight]) => [height, isRight && height !== 1]))
    const withoutOrder = (walk: readonly WalkedMacroblock[]) =>
      walk.map((macroblock) => ({ ...macroblock, isListedInOrder: null }))
    expect(withoutOrder(turned)).toStrictEqual(withoutOrder(right))
    const twice = inMacroblock(1, (body) => body.replace(/("mblocks":\[)(\{[^}]+\}),/, '$1$2,$2,'))
    expect(await outcomeOf(twice)).toStrictEqual(inconsistent(1, /listed twice/))
  })

  it('F5: notices another block of the same height by its link', async () => {
    const other = 'cd'.repeat(32)
    const change: Change = (target, body) =>
      /height=3$/.test(target) || target.startsWith('/mblock') ? body.replaceAll(hashOf(3), other) : body
    expect(await outcomeOf(change, { toHeight: 6 })).toMatchObject(['CHAIN_INCONSISTENT', {}])
  })
  const hashOf = (height: number): string =>
    /"kblock":\{"hash":"([^"]+)"/.exec(recorded.get(`/macroblock_by_height?height=${height}`) ?? '')?.[1] ??
    ''

  describe('F4: a height that cannot be had', () => {
    const gone = (height: number) => inMacroblock(height, () => '{"mblocks":[],"sblocks":[]}')

    it('is asked for a few times, and ends the walk', async () => {
      const { client, clock, transport } = chainClient(gone(3))
      const seen: number[] = []
      const error = await errorOf(
        (async () => {
          for await (const { keyBlock } of client.walkChain({ fromHeight: 1 })) seen.push(keyBlock.height)
        })(),
      )
      expect(error).toStrictEqual(['HEIGHT_UNAVAILABLE', { height: 3 }])
      expect(seen).toStrictEqual([1, 2])
      const asked = transport.requests.filter(({ query }) => query === 'height=3')
      expect(asked.length).toBeGreaterThanOrEqual(4)
      expect(clock.slept).toStrictEqual([400, 400, 400])
    })

    it('is recorded as a hole where that is allowed, and the walk goes on', async () => {
      for (const direction of ['up', 'down'] as const) {
        const holes: ChainHole[] = []
        const [fromHeight, toHeight] = direction === 'up' ? [1, 6] : [6, 1]
        const { client } = chainClient(gone(3))
        const walk = { fromHeight, toHeight, direction, onHole: (hole: ChainHole) => holes.push(hole) }
        const chain = heightsOf(await walked(client, walk))
        expect(direction === 'up' ? chain : chain.reverse()).toStrictEqual([1, 2, 4, 5, 6])
        expect(holes).toMatchObject([{ height: 3, why: { code: 'HEIGHT_UNAVAILABLE' } }])
      }
    })

    it('may be a microblock that is listed and never comes', async () => {
      const listed = /"mblocks":\[\{"hash":"([0-9a-f]+)"/.exec(
        recorded.get('/macroblock_by_height?height=4') ?? '',
      )
      const missing: Change = (target, body) =>
        target === `/mblock?hash=${listed?.[1]}` ? '{"transactions":[]}' : body
      expect(await outcomeOf(missing)).toStrictEqual(inconsistent(4, /cannot be had/))
      const holes: ChainHole[] = []
      const { client } = chainClient(missing)
      const walk = { fromHeight: 0, onHole: (hole: ChainHole) => holes.push(hole) }
      expect(heightsOf(await walked(client, walk))).toStrictEqual([0, 1, 2, 3, 5, 6])
      expect(holes).toMatchObject([{ height: 4, why: { code: 'CHAIN_INCONSISTENT' } }])
    })

    it('is no hole when it comes in the end', async () => {
      let asked = 0
      const late = inMacroblock(3, (body) => (asked++ < 3 ? '{"mblocks":[],"sblocks":[]}' : body))
      const onHole = () => {
        throw new Error('no hole')
      }
      expect(heightsOf(await walked(chainClient(late).client, { fromHeight: 2, onHole }))).toStrictEqual([
        2, 3, 4, 5, 6,
      ])
    })
  })

  it('cancels what it read ahead when the loop is left', async () => {
    const { client, transport } = chainClient()
    for await (const { keyBlock } of client.walkChain({ fromHeight: 0, concurrency: 2 })) {
      if (keyBlock.height === 0) break
    }
    const before = transport.requests.length
    const ofWalk = transport.requests.filter(({ path }) => path !== '/height')
    expect(ofWalk.map(({ signal }) => signal?.aborted)).toStrictEqual(ofWalk.map(() => true))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(transport.requests.length).toBe(before)
  })

  it('ends with the reason of the caller', async () => {
    const { client } = chainClient()
    const controller = new AbortController()
    const { signal } = controller
    const walk = client.walkChain({ fromHeight: 0, signal })
    await walk.next()
    controller.abort('enough')
    expect(await errorOf(walk.next())).toBe('enough')
  })
})
