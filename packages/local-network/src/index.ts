export { type Clock, systemClock } from './clock.ts'
export {
  judgePublication,
  type OfferedMicroblock,
  type PublicationJudgement,
  type PublicationParameters,
  type PublicationRefusal,
  type StakeRules,
} from './gateway/judge-publication.ts'
export {
  createGenesis,
  type DevelopmentAccount,
  type Genesis,
  type GenesisAccounts,
  type GenesisTokens,
  type MicroblockSlots,
  type NetworkParameters,
} from './genesis.ts'
export * from './ledger/index.ts'
