export type { Ecdsa, VerifyText } from './accelerated/ecdsa.ts'
export { bytesToHex, hexToBytes } from './bytes.ts'
export {
  type Contract,
  type ContractParameter,
  type ContractType,
  decodeContract,
  encodeContract,
  looksLikeContract,
  looksLikeNewerContract,
} from './contract.ts'
export { contractRefusal } from './contract-form.ts'
export {
  type ContractOrder,
  type ContractReading,
  encodeContractOrder,
  readContract,
} from './contract-order.ts'
export { compactToDer, derToCompact, lenientHexToBytes } from './der.ts'
export { derivedNonce } from './derived-nonce.ts'
export {
  addressOf,
  defaultEcdsa,
  signText,
  uncompressedPublicKeyOf,
  verifyText,
} from './ecdsa.ts'
export * from './endpoints/index.ts'
export { apiError } from './errors/api-error.ts'
export { assertArgument } from './errors/assert-argument.ts'
export { cursorError } from './errors/cursor-error.ts'
export { eventError } from './errors/event-error.ts'
export { type ErrorCode, type ErrorFacts, written } from './errors/facts.ts'
export { hostError } from './errors/host-error.ts'
export { keystoreError } from './errors/keystore-error.ts'
export { type AnyNodeError, isNodeError, NodeError, type NodeErrorOf } from './errors/node-error.ts'
export { paymentError } from './errors/payment-error.ts'
export { quorumError } from './errors/quorum-error.ts'
export { reportError } from './errors/report-error.ts'
export { grossForNet, netAmount, transferFee } from './fee.ts'
export { ascending, fieldHash, sha256Hex } from './hashing.ts'
export { hmacHex } from './hmac.ts'
export { type JsonValue, type ParseJsonOptions, parseJson, stringifyJson } from './json.ts'
export {
  isMerkleRoot,
  type KeyBlock,
  legacyMerkleRoot,
  localKeyBlockHash,
  type Macroblock,
  type MerkleLeaves,
  merkleRoot,
  merkleTree,
} from './macroblock.ts'
export { flippedSignature, malleatedHashes } from './malleation.ts'
export * from './messages/index.ts'
export {
  type Microblock,
  type MicroblockContent,
  microblockHash,
  microblockHashOf,
  publicationText,
  type StatBlock,
  statBlockHash,
  transactionsHash,
} from './microblock.ts'
export { isSignedByOwner, type OwnerSignedBlock, parseOwnerSignature } from './owner-signature.ts'
export {
  decodeReferralCode,
  encodeReferralCode,
  isReferralCode,
  type ReferralCodeFault,
  referralCodeFault,
} from './referral.ts'
export {
  type FeeShares,
  feePools,
  type ReferralAgentStatus,
  type ReferralReward,
  type RewardPools,
  type RewardRatio,
  referralReward,
  rewardPools,
  stakePoolSplit,
  stakeShare,
  tokenMiningPool,
} from './reward.ts'
export { encodeWith } from './schema/encode-with.ts'
export type { NetAmount } from './schema/leaves.ts'
export {
  type Decoded,
  decodeWith,
  type Schema,
  type SchemaProblem,
  type Value,
} from './schema/record.ts'
export type { FeeRule, FeeType, MiningRule, Token } from './token.ts'
export { type FeePlan, type TokenPlan, tokenOrder } from './token-plan.ts'
export {
  isTransactionSigned,
  MAX_NONCE,
  signingHash,
  signingHashOfTexts,
  type Transaction,
  type TransactionFields,
  type TransactionStatus,
  type TransactionTexts,
  transactionHash,
  transactionHashOfTexts,
} from './transaction.ts'
export { readTransactionBody, transactionBody, transactionDraft } from './transaction-body.ts'
export { type Address, isAddress, looksLikeAddress, parseAddress } from './values/address.ts'
export { type Amount, formatAmount, isAmount, MAX_AMOUNT, parseAmount, toAmount } from './values/amount.ts'
export {
  type AmountParts,
  type AmountStyle,
  amountParts,
  amountText,
  decimalSignOf,
} from './values/amount-text.ts'
export type { Brand } from './values/brand.ts'
export { type Hash, isBlockName, isHash, parseBlockName, parseHash } from './values/hash.ts'
export { plainJson, plainText } from './values/plain-text.ts'
export { CURVE_ORDER, isPrivateKey, type PrivateKey, parsePrivateKey } from './values/private-key.ts'
export { isSignature, looksLikeSignature, parseSignature, type Signature } from './values/signature.ts'
export { isTokenId, parseTokenId, type TokenId, ZERO_TOKEN_ID } from './values/token-id.ts'
