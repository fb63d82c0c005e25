import { judgePublication, type OfferedMicroblock, type PublicationJudgement } from '@hailstone/ledger'
import { type Address, type Hash, parseBeacon, parseClientMessage } from '@hailstone/protocol'
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

const WRONG_VERSION_REPLY = [{ ver: 4n, err: 'ERR_WRONG_PROTOCOL_VERSION' }]

function outstandingOf(given: Case): OfferedMicroblock | null {
  if (given.outstanding_beacon === null) return null
  const decoded = parseBeacon({ leader_id: '0', ...asObject(given.outstanding_beacon) })
  if (!decoded.ok) throw new Error(`the outstanding beacon cannot be read: ${decoded.problem.reason}`)
  const { content, microblockHash } = decoded.value
  return {
    hash: microblockHash,
    keyBlockHash: content.keyBlockHash,
    publisher: content.publisher,
    nonce: Number(content.nonce),
    transactions: content.transactions.map((offered) => ({
      ...offered,
      amount: offered.amount as never,
      nonce: Number(offered.nonce),
      signature: offered.signature as never,
      tokenId: offered.tokenId as never,
    })),
  }
}

function minimumStakeOf(given: Case): (tokenId: string) => bigint | null | undefined {
  const tokens = asList(given.tokens).map(asObject)
  return (tokenId) => {
    const token = tokens.find(({ hash }) => hash === tokenId)
    if (token === undefined) return undefined
    return token.minable === 1n ? BigInt(asText(token.min_stake)) : null
  }
}

/** The ledger of a case has at most one row: the hailed account in the token of the balance. */
const balanceOf =
  (given: Case) =>
  (address: Address, tokenId: string): bigint | undefined =>
    given.miner_balance !== null && address === given.hailed_as && tokenId === given.balance_token
      ? BigInt(asText(given.miner_balance))
      : undefined

const hailedAs = (given: Case): Address | null => {
  const address = asText(given.hailed_as)
  return address === '' ? null : (address as Address)
}

function run(given: Case): { readonly hasVersion: boolean; readonly judgement: PublicationJudgement } {
  const message = parseClientMessage(asText(given.message))
  if (message.kind !== 'publish') throw new Error(`the message was read as ${message.kind}`)
  const judgement = judgePublication({
    data: message.data,
    hasVersion: message.hasVersion,
    hailedAs: hailedAs(given),
    outstanding: outstandingOf(given),
    stakes: { minimumStake: minimumStakeOf(given), balance: balanceOf(given) },
    isStored: (_hash: Hash) => given.already_stored === true,
    // The recorded public gateway evaluates messages of a wrong version all the same.
    evaluatesWrongVersion: true,
  })
  return { hasVersion: message.hasVersion, judgement }
}

function compare(given: Case): readonly (string | null)[] {
  const expected = asObject(given.expect)
  const { hasVersion, judgement } = run(given)
  const microblock = judgement.verdict === 'accepted' ? judgement.microblock : null
  return [
    difference('accepted', expected.accepted, microblock !== null),
    difference('stored_tx_count', expected.stored_tx_count, microblock?.transactions.length ?? 0),
    difference('stored_referrer', expected.stored_referrer, microblock?.referralAgent ?? null),
    difference('stored_token', expected.stored_token, microblock?.tokenId ?? null),
    difference('score_set_to_zero', expected.score_set_to_zero, judgement.verdict === 'refused'),
    difference('reply', expected.reply, hasVersion ? [] : WRONG_VERSION_REPLY),
    difference('connection_closed', expected.connection_closed, !hasVersion),
    difference('handler_error', expected.handler_error, false),
  ]
}

/** Acceptance of publications by a gateway (PROTOCOL 5.8). */
export const check: Check = {
  kind: 'publish acceptance',
  recognises: (file) => everyCaseHas(file, 'hailed_as', 'outstanding_beacon', 'tokens', 'message', 'expect'),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}
