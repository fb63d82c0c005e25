import { type AccountRecord, type LedgerState, type MacroblockReport, numberRecords } from '@hailstone/ledger'
import {
  decodeContract,
  type JsonValue,
  merkleRoot,
  microblockHashOf,
  publicationText,
  signingHashOfTexts,
  statBlockHash,
  type TransactionTexts,
  transactionHashOfTexts,
  verifyText,
} from '@hailstone/protocol'
import { asList, asObject, asText, type Case, difference, judge } from '../case.ts'
import type { Check, Outcome } from '../check.ts'
import {
  asAddress,
  asHash,
  asSet,
  asTokenId,
  inOrder,
  textOrNull,
  tokenTexts,
  writeRecords,
} from '../ledger-reading.ts'
import { isLedgerRecording, type LedgerRecording, readLedgerRecording, replay } from '../ledger-recording.ts'
import { statusNumber } from '../ledger-writing.ts'

type Differences = readonly (string | null)[]

const blockRewards = (rewards: MacroblockReport['microblockRewards']): readonly Case[] =>
  inOrder(rewards.map(({ hash, reward }) => ({ hash, reward: reward.toString() })))

const statuses = (report: MacroblockReport): readonly Case[] =>
  inOrder(
    report.transactions.map(({ hash, microblockHash, status }) => ({
      hash,
      mblocks_hash: microblockHash,
      status: statusNumber(status),
    })),
  )

const reportDifferences = (step: Case, report: MacroblockReport): Differences => [
  difference(
    'statuses',
    asSet(asList(step.tx_statuses), ['hash', 'mblocks_hash', 'status']),
    statuses(report),
  ),
  difference(
    'microblock rewards',
    asSet(asList(step.mblock_rewards), ['hash', 'reward']),
    blockRewards(report.microblockRewards),
  ),
  difference(
    'statblock rewards',
    asSet(asList(step.sblock_rewards), ['hash', 'reward']),
    blockRewards(report.statBlockRewards),
  ),
  difference('key block reward', asText(step.kblock_reward), report.keyBlockReward.toString()),
]

/** Compares every balance and supply, changed or not. */
function stateDifferences(step: Case, state: LedgerState): Differences {
  const after = asObject(step.after)
  const balances = Array.from(state.balances(), ({ account, tokenId, amount }) => ({
    id: account,
    token: tokenId,
    amount: amount.toString(),
  }))
  const supplies = Array.from(state.tokens(), ({ id, totalSupply }) => ({
    hash: id,
    total_supply: totalSupply.toString(),
  }))
  return [
    ...rowDifferences('balance', asSet(asList(after.ledger), ['id', 'token', 'amount']), inOrder(balances)),
    ...rowDifferences('supply', asSet(asList(after.supply), ['hash', 'total_supply']), inOrder(supplies)),
  ]
}

/** Names the rows that only one side has, instead of two long lists. */
function rowDifferences(what: string, expected: readonly Case[], found: readonly Case[]): Differences {
  const [left, right] = [expected, found].map((rows) => new Set(rows.map((row) => JSON.stringify(row))))
  const missing = [...(left ?? [])].filter((row) => right?.has(row) !== true)
  const surplus = [...(right ?? [])].filter((row) => left?.has(row) !== true)
  return [
    difference(what, missing.slice(0, 3), surplus.slice(0, 3)),
    difference(`${what} rows`, expected.length, found.length),
  ]
}

/** Steps are found by the key block that they close. Each block needs one, and each step needs a block. */
function stepOutcomes(
  recording: LedgerRecording,
  steps: readonly Case[],
  records: AccountRecord[],
): readonly Outcome[] {
  const outcomes: Outcome[] = []
  const left = new Set(steps)
  for (const { macroblock, report } of replay(recording)) {
    records.push(...report.records)
    const { hash, height } = macroblock.keyBlock
    const name = `macroblock ${height}`
    const step = [...left].find((given) => given.closed_kblock === hash)
    if (step === undefined) {
      outcomes.push(judge(name, () => ['no step tells what it should lead to']))
      continue
    }
    left.delete(step)
    const isHeight = () => difference('height', asText(step.height), String(height))
    outcomes.push(
      judge(`${name}: statuses and rewards`, () => [isHeight(), ...reportDifferences(step, report)]),
      judge(`${name}: balances and supplies`, () => stateDifferences(step, recording.state)),
    )
  }
  for (const step of left)
    outcomes.push(
      judge(`step ${asText(step.height)}`, () => [
        `it closes ${asText(step.closed_kblock)}, which no block does, or not once more`,
      ]),
    )
  return outcomes
}

function accountIndexDifferences(
  expected: readonly JsonValue[],
  records: readonly AccountRecord[],
): Differences {
  const numbered = numberRecords(records, () => 0)
  const found = writeRecords(numbered).map((row, at) => ({ ...row, i: String(numbered[at]?.number) }))
  const names = ['rectype', 'id', 'hash', 'value', 'i']
  return rowDifferences('record', asSet(expected, names), asSet(found, names))
}

const delegateNames = ['pos_id', 'delegator', 'amount', 'reward'] as const

function delegateDifferences(expected: readonly JsonValue[], state: LedgerState): Differences {
  const found = Array.from(state.stakePools()).flatMap((pool) =>
    Array.from(state.delegations(pool.id), ({ poolId, delegator, amount, reward }) => ({
      pos_id: poolId,
      delegator,
      amount: amount.toString(),
      reward: reward.toString(),
    })),
  )
  return rowDifferences('delegation', asSet(expected, delegateNames), inOrder(found))
}

const transactionsOf = (file: Case): readonly Case[] =>
  asList(file.blocks)
    .flatMap((block) => asList(asObject(block).mblocks))
    .flatMap((microblock) => asList(asObject(microblock).txs))
    .map(asObject)

/**
 * The encoding of a creation must match the recording, and a token must exist exactly if its creation was confirmed.
 */
function createdTokenDifferences(file: Case, created: Case, state: LedgerState): Differences {
  const sent = transactionsOf(file).find(({ hash }) => hash === created.hash)
  const { parameters } = decodeContract(asText(sent?.data))
  const found = Object.fromEntries(parameters.map(({ key, value }) => [key, value.toString()]))
  const expected = tokenTexts(asObject(created.parameters), Object.keys(asObject(created.parameters)))
  const isConfirmed = asList(file.steps)
    .flatMap((step) => asList(asObject(step).tx_statuses))
    .some((status) => asObject(status).hash === created.hash && asText(asObject(status).status) === '3')
  const token = state.token(asTokenId(created.hash))
  return [
    difference('encoded parameters', expected, found),
    difference('became a token', isConfirmed, token !== undefined),
    token === undefined ? null : difference('short name', expected.ticker, token.symbol),
  ]
}

const textsOf = (transaction: Case): TransactionTexts & { readonly signature: string } => ({
  amount: asText(transaction.amount),
  data: asText(transaction.data),
  from: asText(transaction.from),
  nonce: asText(transaction.nonce),
  signature: asText(transaction.sign),
  tokenId: asText(transaction.ticker),
  to: asText(transaction.to),
})

function microblockDifferences(given: Case): Differences {
  const transactions = asList(given.txs).map(asObject)
  const hashes = transactions.map((transaction) => transactionHashOfTexts(textsOf(transaction)))
  const hash = microblockHashOf({
    keyBlockHash: asText(given.kblocks_hash),
    nonce: BigInt(asText(given.nonce)),
    publisher: asText(given.publisher),
    transactionHashes: hashes,
  })
  return [
    difference(
      'transaction hashes',
      transactions.map((transaction) => asText(transaction.hash)),
      hashes,
    ),
    difference('microblock hash', given.hash, hash),
  ]
}

function microblockSignatureDifferences(given: Case): Differences {
  const publication = publicationText({
    microblockHash: asText(given.hash),
    referralAgent: textOrNull(given.referrer),
    tokenId: asText(given.token),
  })
  const isPublished = verifyText({
    text: publication,
    signature: asText(given.sign),
    address: asAddress(given.publisher),
  })
  const unsigned = asList(given.txs)
    .map((transaction) => textsOf(asObject(transaction)))
    .filter((texts) => {
      const { signature, from } = texts
      return !verifyText({ text: signingHashOfTexts(texts), signature, address: asAddress(from) })
    })
  return [
    difference('publication is signed', true, isPublished),
    difference('transactions that are not signed', [], unsigned),
  ]
}

const signatureDifferences = (block: Case): Differences =>
  asList(block.mblocks).flatMap((microblock) => microblockSignatureDifferences(asObject(microblock)))

/** Each key block links to the previous one; the first closed one is the origin, which is not listed. */
function linkDifferences(blocks: readonly Case[]): Differences {
  return blocks.flatMap((block, at) => {
    const keyBlock = asObject(block.kblock)
    const before = at === 0 ? undefined : asObject(blocks[at - 1]?.kblock)
    return [
      difference('closed key block', before?.hash ?? block.closes, block.closes),
      difference('link', keyBlock.link, block.closes),
      difference('number', asText(keyBlock.n), String(at + 1)),
      ...[...asList(block.mblocks), ...asList(block.sblocks)].map((extending) =>
        difference('extended key block', block.closes, asObject(extending).kblocks_hash),
      ),
    ]
  })
}

function blockHashDifferences(block: Case): Differences {
  const microblocks = asList(block.mblocks).map(asObject)
  const statBlocks = asList(block.sblocks).map(asObject)
  const root = merkleRoot({
    microblockHashes: microblocks.map(({ hash }) => asText(hash)),
    statBlockHashes: statBlocks.map(({ hash }) => asText(hash)),
    snapshotHash: null,
  })
  // The recordings have a real Merkle root only if both kinds of block are present.
  const hasRoot = microblocks.length > 0 && statBlocks.length > 0
  return [
    ...microblocks.flatMap(microblockDifferences),
    ...statBlocks.map((given) =>
      difference(
        'statblock hash',
        given.hash,
        statBlockHash({
          bulletin: asText(given.bulletin),
          keyBlockHash: asHash(given.kblocks_hash),
          publisher: asHash(given.publisher),
          signature: asText(given.sign),
        }),
      ),
    ),
    hasRoot ? difference('Merkle root', asObject(block.kblock).m_root, root) : null,
  ]
}

function run(file: JsonValue): readonly Outcome[] {
  const given = asObject(file)
  const recording = readLedgerRecording(file)
  const records: AccountRecord[] = []
  const blocks = asList(given.blocks).map(asObject)
  return [
    judge('links of the key blocks', () => linkDifferences(blocks)),
    ...blocks.flatMap((block, at) => [
      judge(`macroblock ${at}: hashes`, () => blockHashDifferences(block)),
      judge(`macroblock ${at}: signatures`, () => signatureDifferences(block)),
    ]),
    ...stepOutcomes(recording, asList(given.steps).map(asObject), records),
    judge('history records of every account', () =>
      accountIndexDifferences(asList(given.account_index), records),
    ),
    ...ifStated('created tokens', given.created_tokens, (tokens) =>
      tokens
        .map(asObject)
        .map((created) =>
          judge(`created token ${asText(created.hash).slice(0, 8)}`, () =>
            createdTokenDifferences(given, created, recording.state),
          ),
        ),
    ),
    ...ifStated('delegations at the end', given.delegates_after, (delegates) => [
      judge('delegations at the end', () => delegateDifferences(delegates, recording.state)),
    ]),
  ]
}

/** Compares a member that a recording may omit. */
const ifStated = (
  name: string,
  stated: JsonValue | undefined,
  outcomes: (stated: readonly JsonValue[]) => readonly Outcome[],
): readonly Outcome[] =>
  stated === undefined
    ? [{ name, verdict: 'skipped', reason: `the recording does not state the ${name}` }]
    : outcomes(asList(stated))

export const check: Check = { kind: 'recorded ledger', recognises: isLedgerRecording, run }
