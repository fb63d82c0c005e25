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
export { openChainStore } from './open-chain-store.ts'
