import { closeMacroblock, type LedgerParameters, toLedgerMacroblock } from '@hailstone/ledger'
import { type ChainStore, learnCalculated, transactionHashesOf } from '@hailstone/local-network'
import {
  type ContractOrder,
  encodeContractOrder,
  type Hash,
  type JsonValue,
  type KeyBlock,
  localKeyBlockHash,
  type Microblock,
  microblockHash,
  type Signature,
  toAmount,
} from '@hailstone/protocol'
import type { DescribedEndpoint, RecordedExample } from '@hailstone/protocol/reference'
import { asList, asObject, asText, type Case } from '../case.ts'
import { readChainOrigin, replayInto } from '../chain-recording.ts'
import { asAddress } from '../ledger-reading.ts'
import { readLedgerRecording } from '../ledger-recording.ts'
import { ask, createOfflineApi } from '../offline-api.ts'
import { candidate } from './recorded-exchanges.ts'

/** A minimal DER signature; nothing verifies what is calculated. */
const UNSIGNED = '3006020101020101' as Signature
const NATIVE_COIN = 10_000_000_000n
const PREFIX = '/api/v1'

/** Names in the recorded ledger that requests use. */
type Facts = {
  readonly genesis: string
  readonly pool: string
  readonly delegator: string
  readonly keyBlock: string
  readonly keyBlockPublisher: string
  readonly microblock: string
  readonly statBlock: string
  readonly transaction: string
  readonly account: string
  readonly token: string
  readonly tokenOwner: string
  readonly reissuableOwner: string
}

function factsOf(file: JsonValue): Facts {
  const { params, initial, blocks } = asObject(file)
  const pool = asObject(asObject(initial).pos)
  const tokens = asList(asObject(initial).tokens).map(asObject)
  const token = asObject(tokens[1])
  const reissuable = tokens.find((one) => asText(one.reissuable) === '1')
  const block = asObject(asList(blocks)[1])
  const microblock = asObject(asList(block.mblocks)[0])
  const transaction = asObject(asList(microblock.txs)[0])
  return {
    genesis: asText(asObject(params).genesis),
    pool: asText(pool.id),
    delegator: asText(pool.owner),
    keyBlock: asText(block.closes),
    keyBlockPublisher: asText(asObject(block.kblock).publisher),
    microblock: asText(microblock.hash),
    statBlock: asText(asObject(asList(block.sblocks)[0]).hash),
    transaction: asText(transaction.hash),
    account: asText(transaction.from),
    token: asText(token.hash),
    tokenOwner: asText(token.owner),
    reissuableOwner: asText(reissuable?.owner),
  }
}

/** Queries of endpoints without a recording. Others are requested without a query. */
const queries: Readonly<Record<string, (facts: Facts) => readonly string[]>> = {
  '/page': () => ['n=0'],
  '/success_tx_by_height': () => ['height=1'],
  '/search': (facts) => {
    const { transaction, account, keyBlock, microblock, statBlock, token, pool } = facts
    return [transaction, account, keyBlock, microblock, statBlock, token, pool].map((text) => `value=${text}`)
  },
  '/top_accounts': () => ['page=0'],
  '/get_token_info_page': () => ['page=0&type=minable'],
  '/get_tokens_by_owner': ({ tokenOwner }) => [`owner=${tokenOwner}`],
  '/get_pos_list_page': () => ['page=0'],
  '/get_delegated_list': ({ delegator }) => [`delegator=${delegator}`],
  '/get_delegated_page': ({ delegator }) => [`delegator=${delegator}&page=0`],
  '/get_undelegated_page': ({ delegator }) => [`delegator=${delegator}&page=0`],
  '/get_pos_list': ({ delegator }) => [`owner=${delegator}`],
  '/get_pos_info': ({ pool }) => [`pos_id=${pool}`],
  '/get_delegators_list': ({ pool }) => [`pos_id=${pool}`],
  '/get_delegators_page': ({ pool }) => [`pos_id=${pool}&page=0`],
  '/get_token_holder_count': ({ token }) => [`token_hash=${token}`],
  '/get_undelegated_list': ({ delegator }) => [`delegator=${delegator}`],
  '/balance_reissuable': ({ reissuableOwner }) => [`id=${reissuableOwner}`],
  '/account': ({ account }) => [`id=${account}&page=0`],
  '/account_kreward': ({ keyBlockPublisher }) => [`id=${keyBlockPublisher}&page=0`],
  '/account_sreward': ({ pool }) => [`id=${pool}&page=0`],
  '/eindex_by_hash': ({ microblock }) => [`hash=${microblock}`],
}

function microblockOf(keyBlock: KeyBlock, facts: Facts, order: ContractOrder): Microblock {
  const from = asAddress(facts.delegator)
  const transaction = {
    amount: toAmount(NATIVE_COIN / 10n),
    data: encodeContractOrder(order),
    from,
    nonce: 1,
    tokenId: '0'.repeat(64) as never,
    to: asAddress(facts.genesis),
    signature: UNSIGNED,
  }
  const content = { keyBlockHash: keyBlock.hash, publisher: from, nonce: 1, transactions: [transaction] }
  return {
    ...content,
    hash: microblockHash(content),
    signature: UNSIGNED,
    tokenId: transaction.tokenId,
    referralAgent: null,
  }
}

/** Undelegates coins in one more macroblock, since no recording does. */
async function undelegate(store: ChainStore, facts: Facts, parameters: LedgerParameters): Promise<void> {
  const keyBlock = await store.tail()
  const order = {
    type: 'undelegate',
    poolId: facts.pool,
    amount: toAmount(100n * NATIVE_COIN),
  } as const
  const macroblock = { keyBlock, microblocks: [microblockOf(keyBlock, facts, order)], statBlocks: [] }
  const ledger = await store.loadLedger()
  const { height } = keyBlock
  await learnCalculated(ledger, { store, height, hashes: transactionHashesOf(macroblock) })
  const next = { ...keyBlock, height: keyBlock.height + 1, time: keyBlock.time + 15, link: keyBlock.hash }
  await store.appendMacroblock({
    macroblock,
    closed: closeMacroblock(ledger, toLedgerMacroblock(macroblock), parameters),
    nextKeyBlock: { ...next, hash: localKeyBlockHash(next) as Hash },
  })
}

/** Requests the real API over a recorded ledger. With a fixed clock the answers are always the same. */
export async function serverExamples(
  file: JsonValue,
  endpoints: readonly DescribedEndpoint[],
): Promise<ReadonlyMap<DescribedEndpoint, readonly RecordedExample[]>> {
  const facts = factsOf(file)
  const nowMs = 1_700_000_200_000
  await using offline = await createOfflineApi(readChainOrigin(file), {
    clock: { now: () => nowMs },
    faucet: async () => 'sent',
    producerState: () => ({ openForMs: 4200, closingForMs: null, failure: null }),
  })
  await replayInto(offline.store, file)
  await undelegate(offline.store, facts, readLedgerRecording(file).parameters)
  const examples = new Map<DescribedEndpoint, readonly RecordedExample[]>()
  for (const endpoint of endpoints) examples.set(endpoint, await examplesOf(endpoint, facts, offline))
  return examples
}

async function examplesOf(
  endpoint: DescribedEndpoint,
  facts: Facts,
  offline: Parameters<typeof ask>[0],
): Promise<readonly RecordedExample[]> {
  const body: Case | undefined = endpoint.method === 'POST' ? { pubkey: facts.account } : undefined
  const asked = queries[endpoint.path]?.(facts) ?? ['']
  const examples: RecordedExample[] = []
  for (const query of asked) {
    const reply = await ask(offline, {
      method: endpoint.method,
      path: `${PREFIX}${endpoint.path}${query === '' ? '' : `?${query}`}`,
      ...(body === undefined ? {} : { contentType: 'application/json', body: JSON.stringify(body) }),
    })
    const found = candidate({
      source: 'This server over a recorded ledger: ledger-1.json',
      query,
      body,
      answer: reply.body,
      isText: endpoint.form === 'text',
    })
    if (reply.status === 200 && found !== null) {
      const { places: _, ...example } = found
      examples.push(example)
    }
  }
  return examples
}
