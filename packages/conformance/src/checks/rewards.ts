import {
  applyRewards,
  createLedgerState,
  LedgerDraft,
  type LedgerMacroblock,
  type LedgerState,
  type RewardReport,
} from '@hailstone/ledger'
import type { TokenId } from '@hailstone/protocol'
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
  asTokenId,
  asUnits,
  inOrder,
  readBalance,
  readDelegation,
  readParameters,
  readStakePool,
  readToken,
  tokenTexts,
  writeRecords,
} from '../ledger-reading.ts'
import { balanceChanges } from '../ledger-writing.ts'

const stateOf = (input: Case): LedgerState =>
  createLedgerState({
    tokens: asList(input.tokens).map((token) => readToken(asObject(token))),
    balances: asList(input.ledger).map(readBalance),
    stakePools: asList(input.poses).map(readStakePool),
    delegations: asList(input.delegates).map(readDelegation),
  })

function macroblockOf(input: Case): LedgerMacroblock {
  const keyBlock = asObject(input.kblock)
  return {
    keyBlock: {
      hash: asHash(keyBlock.hash),
      height: Number(asUnits(keyBlock.n)),
      publisher: asAddress(keyBlock.publisher),
    },
    microblocks: asList(input.mblocks)
      .map(asObject)
      .map((given) => ({
        hash: asHash(given.hash),
        publisher: asAddress(given.publisher),
        tokenId: asTokenId(given.token),
        referralAgent: typeof given.referrer === 'string' ? asAddress(given.referrer) : null,
        transactions: [],
      })),
    statBlocks: asList(input.sblocks)
      .map(asObject)
      .map((given) => ({ hash: asHash(given.hash), publisher: asHash(given.publisher) })),
  }
}

/** Claims by pool and delegator. How often a delegator is paid per macroblock is not specified. */
function claims(rewards: Iterable<readonly [string, bigint]>): Case {
  const sums = new Map<string, bigint>()
  for (const [owner, amount] of rewards) sums.set(owner, (sums.get(owner) ?? 0n) + amount)
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0n))
}

const expectedClaims = (expected: Case): Case =>
  claims(
    asList(expected.delegator_rewards)
      .map(asObject)
      .map((given) => [`${asText(given.pos_id)} ${asText(given.delegator)}`, asUnits(given.amount)] as const),
  )

const foundClaims = (report: RewardReport): Case =>
  claims(report.delegatorRewards.map(({ poolId, delegator, amount }) => [`${poolId} ${delegator}`, amount]))

const supplyChanges = (report: RewardReport): Case =>
  claims(report.supplyChanges.map(({ tokenId, amount }) => [tokenId, amount]))

function issuedOf(report: RewardReport, draft: LedgerDraft, native: TokenId): bigint {
  const paid = draft
    .changes()
    .balances.filter(({ tokenId }) => tokenId === native)
    .map(({ before = 0n, after }) => after - before)
  return [...paid, ...report.delegatorRewards.map(({ amount }) => amount)].reduce(
    (sum, units) => sum + units,
    0n,
  )
}

function compare(given: Case): readonly (string | null)[] {
  const input = asObject(given.input)
  const expected = asObject(given.expect)
  const parameters = readParameters({
    genesis: input.genesis,
    tokens: input.tokens,
    rewardRatio: input.reward_ratio,
    feeShares: input.fee_shares,
    maximumStake: input.max_stake,
    tokenPrice: 0n,
  })
  const state = stateOf(input)
  const native = state.token(parameters.nativeTokenId)
  if (native === undefined) return ['the case has no native token']
  const draft = new LedgerDraft(state)
  const confirmedCount = Number(asUnits(input.confirmed_tx_count))
  const report = applyRewards({ draft, native, parameters, macroblock: macroblockOf(input), confirmedCount })
  const rewards = report.microblockRewards.map(({ hash, reward }) => ({ hash, reward: reward.toString() }))
  const issued = issuedOf(report, draft, native.id)
  const due = (native.mining?.blockReward ?? 0n) + BigInt(confirmedCount) * native.feeValue
  return [
    difference(
      'microblock rewards',
      asSet(asList(expected.mblock_rewards), ['hash', 'reward']),
      inOrder(rewards),
    ),
    difference('key block reward', asText(expected.kblock_reward), report.keyBlockReward.toString()),
    difference(
      'records',
      asList(expected.records).map((record) =>
        tokenTexts(asObject(record), ['rectype', 'id', 'hash', 'value']),
      ),
      writeRecords(report.records),
    ),
    difference(
      'changed balances',
      asSet(asList(expected.ledger_changes), ['id', 'token', 'before', 'after']),
      balanceChanges(draft.changes()),
    ),
    difference(
      'supply changes',
      claims(Object.entries(asObject(expected.supply_change)).map(([id, amount]) => [id, asUnits(amount)])),
      supplyChanges(report),
    ),
    difference('delegator rewards', expectedClaims(expected), foundClaims(report)),
    difference('native units issued', asText(expected.native_total_issued), issued.toString()),
    difference('balanced', given.balanced, issued === due),
  ]
}

const hasShape = (given: Case): boolean => {
  const input = asObject(given.input)
  return (
    input.reward_ratio !== undefined && input.mblocks !== undefined && input.confirmed_tx_count !== undefined
  )
}

export const check: Check = {
  kind: 'rewards',
  recognises: (file) => everyCaseHas(file, 'input', 'expect') && casesOf(file).every(hasShape),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}
