import {
  type Address,
  type Hash,
  isTransactionSigned,
  type JsonValue,
  looksLikeAddress,
  type Microblock,
  type MicroblockContent,
  microblockHash,
  type PublishData,
  publicationText,
  type Signature,
  type TokenId,
  type Transaction,
  type VerifyText,
  verifyText,
} from '@hailstone/protocol'

/** A microblock that was offered to a miner and waits for its signature. */
export type OfferedMicroblock = MicroblockContent & { readonly hash: Hash }

/** Queries of the ledger about stakes. */
export type StakeRules = {
  /** Units; null for a token that is not mineable, undefined for one that does not exist. */
  readonly minimumStake: (tokenId: string) => bigint | null | undefined
  /** Units; undefined without a balance row. */
  readonly balance: (address: Address, tokenId: TokenId) => bigint | undefined
}

export type PublicationParameters = {
  readonly data: PublishData
  /** True if `ver` was the number 4. */
  readonly hasVersion: boolean
  /** The account the connection introduced itself with; null before a hail. */
  readonly hailedAs: Address | null
  readonly outstanding: OfferedMicroblock | null
  readonly stakes: StakeRules
  readonly isStored: (microblockHash: Hash) => boolean
  readonly verify?: VerifyText | undefined
  /** Looks at the signature of an offered transaction. @default with `verify`, each time */
  readonly isSigned?: ((transaction: Transaction) => boolean) | undefined
  /**
   * The public gateway still evaluates a message of a wrong version before it closes the connection. A local
   * one does not.
   *
   * @default false
   */
  readonly evaluatesWrongVersion?: boolean | undefined
}

/** Reason why a publication costs its sender the connection. */
export type PublicationRefusal =
  | 'notIntroduced'
  | 'noOutstandingBeacon'
  | 'signatureNotValid'
  | 'tokenUnknown'
  | 'tokenNotMineable'
  | 'noBalanceInToken'
  | 'stakeTooLow'
  | 'referralAgentNotAnAddress'
  | 'signatureNotOfHailedAccount'
  | 'noTransactionRemains'

/** `refused` sets the score to zero; `ignored` has no consequence. The miner is told none of them. */
export type PublicationJudgement =
  | { readonly verdict: 'accepted'; readonly microblock: Microblock }
  | { readonly verdict: 'ignored'; readonly reason: 'notOutstandingBeacon' | 'alreadyStored' }
  | { readonly verdict: 'refused'; readonly reason: PublicationRefusal }
  | { readonly verdict: 'wrongVersion' }

const refused = (reason: PublicationRefusal): PublicationJudgement => ({ verdict: 'refused', reason })

/**
 * Decides what becomes of a publication by rules 0 to 12 (PROTOCOL 5.8). Never throws. The rules that only look something
 * up come before the signatures, which cost a thousand times as much: whoever repeats a publication, or has no stake,
 * costs no arithmetic.
 */
export function judgePublication(parameters: PublicationParameters): PublicationJudgement {
  const { data, hailedAs, outstanding, evaluatesWrongVersion = false } = parameters
  if (!parameters.hasVersion && !evaluatesWrongVersion) return { verdict: 'wrongVersion' }
  if (hailedAs === null) return refused('notIntroduced')
  if (outstanding === null) return refused('noOutstandingBeacon')
  if (data.microblockHash !== outstanding.hash) {
    return { verdict: 'ignored', reason: 'notOutstandingBeacon' }
  }
  const looked = lookUp(parameters, { hailedAs, outstanding })
  if (looked !== null) return looked
  const signed = signedPublication(parameters)
  if (signed === null) return refused('signatureNotValid')
  return judgeContent({ ...parameters, hailedAs, outstanding, signed })
}

/** Rules 5 to 10: what the ledger and the open macroblock know, and the form of the referral agent. */
function lookUp(
  { data, stakes, isStored }: PublicationParameters,
  { hailedAs, outstanding }: { readonly hailedAs: Address; readonly outstanding: OfferedMicroblock },
): PublicationJudgement | null {
  const { token, referrer } = data
  if (typeof token !== 'string') return refused('signatureNotValid')
  const minimumStake = stakes.minimumStake(token)
  if (minimumStake === undefined) return refused('tokenUnknown')
  if (minimumStake === null) return refused('tokenNotMineable')
  if (isStored(outstanding.hash)) return { verdict: 'ignored', reason: 'alreadyStored' }
  const stake = stakes.balance(hailedAs, token as TokenId)
  if (stake === undefined) return refused('noBalanceInToken')
  if (stake < minimumStake) return refused('stakeTooLow')
  const isReferrerFit = referrer === undefined || referrer === null || isReferrer(referrer)
  return isReferrerFit ? null : refused('referralAgentNotAnAddress')
}

type SignedPublication = { readonly signature: Signature; readonly tokenId: TokenId }

/** Rule 4. A referrer of null counts as the text "null" here and as nothing in rule 11, so it never passes both. */
function signedPublication({ data, verify = verifyText }: PublicationParameters): SignedPublication | null {
  const { id, token, signature, microblockHash: hash, referrer } = data
  if (![id, token, signature, hash].every((value) => typeof value === 'string')) return null
  if (!['string', 'undefined'].includes(typeof referrer) && referrer !== null) return null
  const text = publicationText({
    microblockHash: hash as string,
    referralAgent: referrer === null ? 'null' : (referrer as string | undefined),
    tokenId: token as string,
  })
  const isSigned = verify({ text, signature: signature as string, address: id as string })
  return isSigned ? { signature: signature as Signature, tokenId: token as TokenId } : null
}

const isReferrer = (referrer: JsonValue): referrer is string =>
  typeof referrer === 'string' && looksLikeAddress(referrer)

/** Rules 11 and 12: a transaction with a wrong signature is dropped, and with it the hash that was signed. */
function judgeContent(
  parameters: PublicationParameters & {
    readonly hailedAs: Address
    readonly outstanding: OfferedMicroblock
    readonly signed: SignedPublication
  },
): PublicationJudgement {
  const { data, hailedAs, outstanding, signed, verify = verifyText } = parameters
  const { isSigned = (one) => isTransactionSigned(one, verify) } = parameters
  const transactions = outstanding.transactions.filter(isSigned)
  const content: MicroblockContent = { ...outstanding, publisher: hailedAs, transactions }
  const hash = microblockHash(content)
  // The agent is kept as sent: the reward looks its exact text up.
  const referralAgent = (data.referrer ?? null) as Address | null
  const text = publicationText({ microblockHash: hash, referralAgent, tokenId: signed.tokenId })
  // The same text, signature and key as in rule 4 need no second look.
  const isVerified = hash === data.microblockHash && data.id === hailedAs && data.referrer !== null
  if (!isVerified && !verify({ text, signature: signed.signature, address: hailedAs })) {
    return refused('signatureNotOfHailedAccount')
  }
  if (transactions.length === 0) return refused('noTransactionRemains')
  return { verdict: 'accepted', microblock: { ...content, ...signed, hash, referralAgent } }
}
