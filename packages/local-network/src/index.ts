export {
  type CertificateKind,
  type FaultRule,
  type FaultScript,
  type Fired,
  type NetworkFaults,
  openTlsFront,
  parseFaultScript,
  readFaultScript,
  type TlsFront,
} from '@hailstone/fault-injection'
export { type FeePlan, type TokenPlan, tokenOrder } from '@hailstone/protocol'
export type { ProducerEvents } from './chain/block-producer.ts'
export type { CalculatedMacroblock } from './chain/calculated-macroblock.ts'
export type { Listen } from './chain/events.ts'
export { type CalculatedSource, learnCalculated, transactionHashesOf } from './chain/learn-calculated.ts'
export { createMempool, type Mempool } from './chain/mempool.ts'
export type { PendingEntry } from './chain/pending-entry.ts'
export type { PoolOptions } from './chain/pool-limits.ts'
export { type Clock, systemClock } from './clock.ts'
export type { ControlState, NetworkControl } from './control/create-control.ts'
export type { Funding } from './control/fund-account.ts'
export type { MineUntil } from './control/mine-until.ts'
export type {
  MinedReward,
  MineUntilRewarded,
  MineUntilRewardedOptions,
  WithAddress,
} from './control/mine-until-rewarded.ts'
export type { Outage, OutageOptions } from './control/outages.ts'
export { type SyntheticServer, serveSyntheticChain } from './control/serve-synthetic-chain.ts'
export type { SyntheticChain, SyntheticChainParameters } from './control/synthetic-chain.ts'
export type { Gateway } from './gateway/create-gateway.ts'
export type { GatewayEvents } from './gateway/gateway-events.ts'
export type { GatewayOptions } from './gateway/gateway-options.ts'
export type { AppVersion } from './http/api-parts.ts'
export * from './http/index.ts'
export type { LogFields, Logger } from './logger.ts'
export type { NetworkEvents, NetworkMode } from './open-network.ts'
export {
  describePopulation,
  type PlayedPopulation,
  type Population,
  type PopulationCounts,
  type PopulationOptions,
  playPopulation,
} from './population/play-population.ts'
export type { PopulationAccounts } from './population/population-payments.ts'
export type { Campaign, DaySpan, Fates, Person, PopulationPlan } from './population/population-people.ts'
export type { ForkOptions } from './read-recorded-state.ts'
export {
  type LocalNetwork,
  type LocalNetworkOptions,
  type NetworkDescription,
  startLocalNetwork,
} from './serve.ts'
export * from './store/index.ts'
export type { OrderOutcome, SendOrder, SendOrderOptions } from './tokens/create-orders.ts'
export type { SupplyChange, TokenActions } from './tokens/create-token-actions.ts'
export { createTextVerifier } from './verify-text.ts'
