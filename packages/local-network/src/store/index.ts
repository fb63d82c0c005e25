export type {
  AgentFigures,
  ChainFigures,
  ChainOrigin,
  ChainStore,
  CountedToken,
  DelegationStanding,
  HeldToken,
  HolderBalance,
  MacroblockClosing,
  PoolStanding,
  RecordOfHash,
  RecordSelection,
  StakeStanding,
  StoredRecord,
  TransactionCopy,
  UndelegationStanding,
} from './chain-store.ts'
export { type OpenedStore, openChainStore } from './open-chain-store.ts'
export { postgresAddress } from './postgres-address.ts'
export type { SharedStore } from './shared-store.ts'
export { openTemporaryStore } from './temporary-store.ts'
