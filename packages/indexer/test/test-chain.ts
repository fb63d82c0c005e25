import type { AddressInfo } from 'node:net'
import {
  type ClosedMacroblock,
  closeMacroblock,
  createGenesis,
  type Genesis,
  toLedgerMacroblock,
} from '@hailstone/ledger'
import {
  createApi,
  createMempool,
  learnCalculated,
  openChainStore,
  transactionHashesOf,
} from '@hailstone/local-network'
import {
  type Address,
  type Macroblock,
  type Microblock,
  microblockHash,
  type Signature,
  sha256Hex,
  type Token,
  type TokenId,
  type Transaction,
} from '@hailstone/protocol'
import { sealMacroblock } from '../../local-network/src/chain/seal-macroblock.ts'

export type TestMicroblock = {
  readonly publisher: Address
  readonly agent?: Address | undefined
  readonly tokenId: TokenId
  readonly transactions: readonly Transaction[]
}

export type CalculatedBlock = { readonly macroblock: Macroblock; readonly closed: ClosedMacroblock }

/**
 * A chain of whatever microblocks a test wants, calculated by the real ledger, kept in the real store and served by the
 * real API on a real socket. Only signatures are made up: nothing that is tested here looks at them.
 */
export type TestChain = AsyncDisposable & {
  readonly apiUrl: string
  readonly genesis: Genesis
  readonly token: Token
  /** Calculated macroblocks of the branch that is shown. */
  readonly blocks: readonly CalculatedBlock[]
  /** Closes the open macroblock; the next key block comes so many seconds later. */
  readonly close: (microblocks: readonly TestMicroblock[], seconds: number) => Promise<void>
  /** Takes back everything from a height on. */
  readonly rewind: (height: number) => Promise<void>
}

let salt = 0

/** A transfer that no other one is equal to. */
export const transfer = (parameters: {
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
  readonly tokenId: TokenId
  readonly data?: string
}): Transaction => ({
  ...{ data: '', ...parameters, amount: parameters.amount as Transaction['amount'], nonce: ++salt },
  signature: sha256Hex(`signature ${salt}`).repeat(2) as string as Signature,
})

export async function openTestChain(seed = 'index'): Promise<TestChain> {
  const genesis = createGenesis({ seed, time: 1_700_000_000 })
  const store = await openChainStore()
  await store.initialise(genesis)
  const api = await createApi({
    ...{ store, mempool: createMempool({ now: Date.now }), minersOnline: () => [] },
    ...{ faucet: async () => 'empty', clock: { now: Date.now }, blockTimeMs: 15_000 },
  })
  await api.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.address() as AddressInfo
  const blocks: CalculatedBlock[] = []
  let nonce = 0
  const microblock = (keyBlock: Macroblock['keyBlock'], given: TestMicroblock): Microblock => {
    const content = {
      ...{ keyBlockHash: keyBlock.hash, publisher: given.publisher, nonce: ++nonce },
      transactions: given.transactions,
    }
    return {
      ...content,
      hash: microblockHash(content),
      signature: sha256Hex(`microblock ${nonce}`) as string as Signature,
      tokenId: given.tokenId,
      referralAgent: given.agent ?? null,
    }
  }
  return {
    apiUrl: `http://127.0.0.1:${port}/api/v1`,
    genesis,
    token: genesis.tokens.mineable,
    blocks,
    async close(microblocks, seconds) {
      const keyBlock = await store.tail()
      const { macroblock, nextKeyBlock } = sealMacroblock({
        ...{ keyBlock, microblocks: microblocks.map((given) => microblock(keyBlock, given)) },
        ...{ votingPoolId: genesis.parameters.votingPoolId, publisher: genesis.accounts.genesis.address },
        ...{ time: keyBlock.time + seconds, seed: `${seed} ${nonce}` },
      })
      const ledger = await store.loadLedger()
      const hashes = transactionHashesOf(macroblock)
      await learnCalculated(ledger, { store, height: keyBlock.height, hashes })
      const closed = closeMacroblock(ledger, toLedgerMacroblock(macroblock), genesis.parameters.ledger)
      await store.appendMacroblock({ macroblock, closed, nextKeyBlock })
      blocks.push({ macroblock, closed })
    },
    async rewind(height) {
      await store.truncateTo(height)
      blocks.splice(height)
    },
    async [Symbol.asyncDispose]() {
      await api.close()
      await store.close()
    },
  }
}
