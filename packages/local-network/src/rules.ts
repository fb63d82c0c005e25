/** Decisions of a network without database, socket and clock: the ledger, its beginning, the acceptance of work. */
export {
  judgePublication,
  type OfferedMicroblock,
  type PublicationJudgement,
  type PublicationParameters,
  type PublicationRefusal,
  type StakeRules,
} from './gateway/judge-publication.ts'
export { createGenesis, type DevelopmentAccount, type Genesis } from './genesis.ts'
export * from './ledger/index.ts'
