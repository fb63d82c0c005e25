export { hasPassword, postgresAddress } from '@hailstone/database'
export type {
  AccountDelegation,
  AccountStake,
  AccountUndelegation,
  AgentFigures,
  ChainFigures,
  ChainOrigin,
  ChainStore,
  CountedToken,
  HeldToken,
  HolderBalance,
  MacroblockClosing,
  RecordOfHash,
  RecordSelection,
  StakePoolState,
  StoredRecord,
  TransactionCopy,
} from './chain-store.ts'
export { createLiveStore } from './live-store.ts'
export { type OpenedStore, openChainStore } from './open-chain-store.ts'
export type { SharedStore } from './shared-store.ts'
export { openTemporaryStore } from './temporary-store.ts'
