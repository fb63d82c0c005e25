export {
  type AccountRecord,
  isTransferRecord,
  type NumberedRecord,
  numberRecords,
  type RecordList,
  type RecordType,
} from './account-record.ts'
export type { BatchReport, CalculatedTransaction } from './apply-batch.ts'
export { type ContractFailure, type ContractRefusal, refuseContract } from './apply-contract.ts'
export { applyRewards, type RewardReport } from './apply-rewards.ts'
export { applyTransaction, type Refusal, type TransactionContext } from './apply-transaction.ts'
export {
  applyMicroblocks,
  type ClosedMacroblock,
  closeMacroblock,
  type MacroblockReport,
} from './close-macroblock.ts'
export {
  createGenesis,
  type DevelopmentAccount,
  type Genesis,
  type GenesisAccounts,
  type GenesisTokens,
  type MicroblockSlots,
  type NetworkParameters,
  ORIGIN_NAME,
  type RecordedState,
} from './genesis.ts'
export type {
  Balance,
  BalanceAttempt,
  BalanceContent,
  BalanceKey,
  BalanceReading,
} from './held-balances.ts'
export {
  judgePublication,
  type OfferedMicroblock,
  type PublicationJudgement,
  type PublicationParameters,
  type PublicationRefusal,
  type StakeRules,
} from './judge-publication.ts'
export { LedgerDraft } from './ledger-draft.ts'
export {
  byHash,
  type LedgerMacroblock,
  type LedgerMicroblock,
  type LedgerTransaction,
  toLedgerMacroblock,
} from './ledger-macroblock.ts'
export type { LedgerParameters } from './ledger-parameters.ts'
export { createLedgerState, type LedgerContent, type LedgerState } from './ledger-state.ts'
export type {
  BalanceChange,
  Delegation,
  LedgerChanges,
  LedgerView,
  StakePool,
  Undelegation,
} from './ledger-view.ts'
export type { BlockReward } from './pay-microblocks.ts'
export type { DelegatorReward } from './payout.ts'
export { balancesOfMacroblock, balancesOfTransaction } from './touched-balances.ts'
