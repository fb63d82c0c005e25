export type {
  AgentFigures,
  ChainFigures,
  ChainOrigin,
  ChainStore,
  CountedToken,
  HeldToken,
  MacroblockClosing,
  RecordOfHash,
  RecordSelection,
  StakeStanding,
  StoredRecord,
  TransactionCopy,
} from './chain-store.ts'
export { openChainStore } from './open-chain-store.ts'
