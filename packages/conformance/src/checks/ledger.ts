import {
  applyMicroblocks,
  createLedgerState,
  LedgerDraft,
  type LedgerMicroblock,
  type LedgerState,
} from '@hailstone/ledger'
import { type JsonValue, transactionHashOfTexts } from '@hailstone/protocol'
import {
  asList,
  asObject,
  asText,
  type Case,
  casesOf,
  difference,
  everyCaseHas,
  judge,
  nameOf,
} from '../case.ts'
import type { Check } from '../check.ts'
import {
  asAddress,
  asHash,
  asSet,
  inOrder,
  readBalance,
  readParameters,
  readToken,
  readTransaction,
  tokenTexts,
  writeRecords,
  writeToken,
} from '../ledger-reading.ts'
import { balanceChanges, statusNumber } from '../ledger-writing.ts'

const stateOf = (input: Case): LedgerState =>
  createLedgerState({
    tokens: asList(input.tokens).map((token) => readToken(asObject(token))),
    balances: asList(input.ledger).map(readBalance),
    calculated: asList(input.already_calculated).map(asHash),
  })

/** Groups the transactions of the case into their microblocks. */
function microblocksOf(input: Case, nativeTokenId: LedgerMicroblock['tokenId']): readonly LedgerMicroblock[] {
  const transactions = asList(input.txs).map(asObject)
  return [...new Set(transactions.map((given) => asHash(given.mblocks_hash)))].map((hash) => ({
    hash,
    publisher: asAddress(input.kblock_publisher),
    tokenId: nativeTokenId,
    referralAgent: null,
    transactions: transactions.filter((given) => given.mblocks_hash === hash).map(readTransaction),
  }))
}

const textMembers = ['amount', 'data', 'from', 'nonce', 'to'] as const

const hashDifference = (given: Case): string | null => {
  const texts = Object.fromEntries(textMembers.map((name) => [name, asText(given[name])])) as Record<
    (typeof textMembers)[number],
    string
  >
  const hash = transactionHashOfTexts({
    ...texts,
    tokenId: asText(given.ticker),
    signature: asText(given.sign),
  })
  return difference('transaction hash', given.hash, hash)
}

function compare(given: Case, tokenPrice: JsonValue | undefined): readonly (string | null)[] {
  const input = asObject(given.input)
  const expected = asObject(given.expect)
  const parameters = readParameters({
    genesis: input.genesis,
    tokens: input.tokens,
    rewardRatio: {},
    feeShares: {},
    maximumStake: 0n,
    tokenPrice: input.create_token_price ?? given.create_token_price ?? tokenPrice,
  })
  const state = stateOf(input)
  const native = state.token(parameters.nativeTokenId)
  if (native === undefined) return ['the case has no native token']
  const draft = new LedgerDraft(state)
  const context = { draft, native, height: Number(input.height ?? 0n), parameters }
  const report = applyMicroblocks(context, microblocksOf(input, native.id))
  const statuses = report.transactions.map(({ hash, microblockHash, status }) => ({
    hash,
    mblocks_hash: microblockHash,
    status: statusNumber(status),
  }))
  const changes = draft.changes()
  const tokens = changes.tokens.map(writeToken)
  const names = Object.keys(tokens[0] ?? {})
  return [
    ...asList(input.txs).map((transaction) => hashDifference(asObject(transaction))),
    difference(
      'statuses',
      asSet(asList(expected.statuses), ['hash', 'mblocks_hash', 'status']),
      inOrder(statuses),
    ),
    difference(
      'changed balances',
      asSet(asList(expected.ledger_changes), ['id', 'token', 'before', 'after']),
      balanceChanges(changes),
    ),
    difference(
      'changed tokens',
      inOrder(asList(expected.tokens_changed).map((token) => tokenTexts(asObject(token), names))),
      inOrder(tokens),
    ),
    difference(
      'records',
      asList(expected.records).map((record) =>
        tokenTexts(asObject(record), ['rectype', 'id', 'hash', 'value']),
      ),
      writeRecords(report.records),
    ),
  ]
}

const hasShape = (given: Case): boolean => {
  const input = asObject(given.input)
  return (
    input.txs !== undefined && input.ledger !== undefined && asObject(given.expect).statuses !== undefined
  )
}

export const check: Check = {
  kind: 'ledger',
  recognises: (file) => everyCaseHas(file, 'input', 'expect') && casesOf(file).every(hasShape),
  run: (file) =>
    casesOf(file).map((given) =>
      judge(nameOf(given), () => compare(given, asObject(file).create_token_price)),
    ),
}
