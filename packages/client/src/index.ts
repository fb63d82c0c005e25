export {
  type Address,
  type Amount,
  type ErrorCode,
  formatAmount,
  grossForNet,
  type Hash,
  isNodeError,
  NodeError,
  parseAddress,
  parseAmount,
  parseHash,
  parseTokenId,
  type TokenId,
  type Transaction,
  toAmount,
} from '@hailstone/protocol'
export { type GetAgentInfoParameters, getAgentInfo } from './actions/get-agent-info.ts'
export { type Balance, type GetBalanceParameters, getBalance } from './actions/get-balance.ts'
export { type ContractPrices, getContractPrices } from './actions/get-contract-prices.ts'
export {
  type ExpectedReturns,
  type GetExpectedReturnParameters,
  getExpectedReturn,
  type ReturnEstimate,
} from './actions/get-expected-return.ts'
export { getHeight } from './actions/get-height.ts'
export { type GetHoldingsParameters, getHoldings } from './actions/get-holdings.ts'
export { getKeyBlockHeight } from './actions/get-key-block-height.ts'
export { getLastBlocks } from './actions/get-last-blocks.ts'
export { getMacroblock, type MacroblockInfo } from './actions/get-macroblock.ts'
export {
  type GetMacroblockByHashParameters,
  getMacroblockByHash,
  type MacroblockByHash,
} from './actions/get-macroblock-by-hash.ts'
export { getMacroblockOutline, type MacroblockOutline } from './actions/get-macroblock-outline.ts'
export { getMicroblock, type MicroblockInfo } from './actions/get-microblock.ts'
export { getMicroblockHeader } from './actions/get-microblock-header.ts'
export { getMinersOnline, type MinerOnline } from './actions/get-miners-online.ts'
export { getMiningRewards } from './actions/get-mining-rewards.ts'
export { getMiningRules, type MiningRules } from './actions/get-mining-rules.ts'
export { getNativeToken } from './actions/get-native-token.ts'
export { getNativeTokenId } from './actions/get-native-token-id.ts'
export { getNetworkInfo } from './actions/get-network-info.ts'
export { getOriginHash } from './actions/get-origin-hash.ts'
export {
  type GetPendingTransactionParameters,
  getPendingTransaction,
} from './actions/get-pending-transaction.ts'
export { getPoolSize } from './actions/get-pool-size.ts'
export { type GetRecordsOfHashParameters, getRecordsOfHash } from './actions/get-records-of-hash.ts'
export { getReferralRewards } from './actions/get-referral-rewards.ts'
export { getReferrerStake } from './actions/get-referrer-stake.ts'
export { getRewards } from './actions/get-rewards.ts'
export { getStakeLimits } from './actions/get-stake-limits.ts'
export { getStats, type Stats } from './actions/get-stats.ts'
export { getToken, type TokenInfo } from './actions/get-token.ts'
export { getTokenNames } from './actions/get-token-names.ts'
export { type GetTokenSlotParameters, getTokenSlot, type TokenSlot } from './actions/get-token-slot.ts'
export {
  type FinalStatus,
  type GetTransactionParameters,
  getTransaction,
  type TransactionInfo,
} from './actions/get-transaction.ts'
export { getTransactions } from './actions/get-transactions.ts'
export type { GetHistoryParameters, HistoryOfParameters, HistoryPageInfo } from './actions/history.ts'
export { type LatestTransaction, latestTransactions } from './actions/latest-transactions.ts'
export type { GetMacroblockParameters } from './actions/macroblock-at.ts'
export type { GetMicroblockParameters } from './actions/microblock-of.ts'
export { miningRewardsOf } from './actions/mining-rewards-of.ts'
export {
  feeRuleOf,
  type PreparedTransaction,
  type PrepareTransactionParameters,
  prepareTransaction,
} from './actions/prepare-transaction.ts'
export type { GetTokenParameters } from './actions/read-token.ts'
export { referralRewardsOf } from './actions/referral-rewards-of.ts'
export { type RequestTestCoinsParameters, requestTestCoins } from './actions/request-test-coins.ts'
export { rewardsOf } from './actions/rewards-of.ts'
export {
  type SendSignedTransactionParameters,
  type SentTransaction,
  sendSignedTransaction,
} from './actions/send-signed-transaction.ts'
export {
  type SendTransactionParameters,
  type SignedTransaction,
  sendTransaction,
} from './actions/send-transaction.ts'
export type { TransactionWarning } from './actions/transaction-warnings.ts'
export { transactionsOf } from './actions/transactions-of.ts'
export { type WaitForTransactionParameters, waitForTransaction } from './actions/wait-for-transaction.ts'
export {
  type ChainHole,
  type WalkChainParameters,
  type WalkedMacroblock,
  walkChain,
} from './actions/walk-chain.ts'
export type { CreateClientCoreParameters } from './assemble-core.ts'
export { type Naming, namedBelow } from './chain/named-below.ts'
export type { Client, CreateClientParameters } from './client.ts'
export type { ClientActions } from './client-actions.ts'
export type { Cancellable, ClientCore } from './client-core.ts'
export {
  type DefinedNetwork,
  type DefineNetworkParameters,
  defineNetwork,
} from './define-network.ts'
export { type ClientNetwork, type Network, networks } from './network.ts'
export { type CreatePaymentsParameters, createPayments } from './payments/create-payments.ts'
export type { FeeCap } from './payments/fee-cap.ts'
export {
  type AppendOptions,
  type Failpoint,
  type JournalContent,
  type JournalStore,
  journalWriteFailed,
} from './payments/journal-store.ts'
export { createMemoryJournal } from './payments/memory-journal.ts'
export type { PaymentSigner, PayParameters } from './payments/order.ts'
export type { PaymentPlace, PaymentState, PaymentStatus } from './payments/payment.ts'
export type { PaymentEvent, PaymentHandle, PaymentInfo } from './payments/payment-info.ts'
export type { PaymentSummary, PaymentWarning } from './payments/payment-summary.ts'
export type { Payments } from './payments/payments.ts'
export { type PinnedCore, pinnedCore } from './pinned-core.ts'
export { parseApiUrl } from './transport/api-url.ts'
export { type Clock, systemClock, systemTime } from './transport/clock.ts'
export {
  type ApiNode,
  createFailoverTransport,
  type FailoverTransport,
  type PinnedTransport,
} from './transport/failover-transport.ts'
export type { LogFields, Logger } from './transport/logger.ts'
export type { Disagreement, NodeAnswer } from './transport/quorum-transport.ts'
export { defaultRetryPolicy, parseRetryAfter, type RetryPolicy } from './transport/retry-policy.ts'
export { systemRandomness } from './transport/system-randomness.ts'
export type {
  Transport,
  TransportAnswer,
  TransportParameters,
  TransportRequest,
} from './transport/transport.ts'
export { type CreateWalletParameters, createWallet } from './wallet/create-wallet.ts'
export {
  type CreateWorkerSignerParameters,
  createWorkerSigner,
  type WorkerSigner,
} from './wallet/create-worker-signer.ts'
export { type DecryptedWallet, type DecryptWalletParameters, decryptWallet } from './wallet/decrypt-wallet.ts'
export { type EncryptWalletParameters, encryptWallet } from './wallet/encrypt-wallet.ts'
export {
  defaultPbkdf2,
  defaultScrypt,
  type KeyDerivation,
  type Pbkdf2Parameters,
} from './wallet/key-derivation.ts'
export { type KeystoreDocument, type KeystoreHeader, parseKeystore } from './wallet/keystore-document.ts'
export type { ScryptParameters } from './wallet/scrypt-key.ts'
export { type ServeSignerParameters, serveSigner } from './wallet/serve-signer.ts'
export {
  type SignIn,
  type SignInCheck,
  type SignInParameters,
  signIn,
  type VerifySignInParameters,
  verifySignIn,
} from './wallet/sign-in.ts'
export type { Signer } from './wallet/signer.ts'
export type { SignerPort } from './wallet/signer-port.ts'
export type {
  ChangePasswordParameters,
  SaveWalletParameters,
  UnlockedWallet,
  UnlockWalletParameters,
} from './wallet/unlocked-wallet.ts'
export type { RandomBytes } from './wallet/unpredictable-bytes.ts'
export type { SignHailParameters, SignPublicationParameters, Wallet } from './wallet/wallet.ts'
export { type OpenWalletOptions, walletFromPrivateKey } from './wallet/wallet-from-private-key.ts'
export { type OpenBrowserJournalParameters, openBrowserJournal } from './web/browser-journal.ts'
export { type BrowserVault, type OpenBrowserVaultParameters, openBrowserVault } from './web/browser-vault.ts'
export { createFetchTransport, type FetchTransportParameters } from './web/fetch-transport.ts'
