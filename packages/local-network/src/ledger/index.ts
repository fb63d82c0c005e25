export {
  type AccountRecord,
  isTransferRecord,
  type NumberedRecord,
  numberRecords,
  type RecordList,
  type RecordType,
} from './account-record.ts'
export type { BatchReport, CalculatedTransaction } from './apply-batch.ts'
export type { ContractFailure, ContractRefusal } from './apply-contract.ts'
export { applyRewards, type RewardReport } from './apply-rewards.ts'
export type { Refusal, TransactionContext } from './apply-transaction.ts'
export {
  applyMicroblocks,
  type ClosedMacroblock,
  closeMacroblock,
  type MacroblockReport,
} from './close-macroblock.ts'
export { LedgerDraft } from './ledger-draft.ts'
export {
  byHash,
  type LedgerMacroblock,
  type LedgerMicroblock,
  type LedgerTransaction,
  toLedgerMacroblock,
} from './ledger-macroblock.ts'
export type { LedgerParameters } from './ledger-parameters.ts'
export { type Balance, createLedgerState, type LedgerContent, type LedgerState } from './ledger-state.ts'
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
