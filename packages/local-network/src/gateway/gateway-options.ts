import { MAX_MINERS } from '../connection-shares.ts'

/** Behaviour of a gateway. The defaults are the development preset (PROTOCOL 9.3). */
export type GatewayOptions = {
  /** @default 100 ms */
  readonly feederIntervalMs?: number | undefined
  /** Shortest time between two beacons to one miner. @default 100 ms */
  readonly beaconIntervalMs?: number | undefined
  /** Time a transaction is left to the miner it was offered to. @default 2 s */
  readonly pendingTimeoutMs?: number | undefined
  /** Microblocks of one macroblock. @default 8 */
  readonly maxMicroblocks?: number | undefined
  /** @default 3 */
  readonly maxTransactionsPerMicroblock?: number | undefined
  /** Transactions of one macroblock from which on no more beacons are sent. @default 300 */
  readonly maxTransactions?: number | undefined
  /** Age of the key block from which on no more beacons are sent. @default 12 s */
  readonly watchdogMs?: number | undefined
  /** @default 25 s */
  readonly pingIntervalMs?: number | undefined
  /** True if every session begins with a probe, which public networks do not do. @default false */
  readonly probesFirst?: boolean | undefined
  /** True if a hail must have a valid signature over the host, which public networks do not check. @default false */
  readonly strictHail?: boolean | undefined
  /** Time from the upgrade of a connection until its hail. @default 10 s */
  readonly hailTimeoutMs?: number | undefined
  /** Frames a connection, and a key, may send per second. More are read later. @default 50 */
  readonly framesPerSecond?: number | undefined
  /** Frames a connection, and a key, may send at once. @default twice as many as per second */
  readonly framesAtOnce?: number | undefined
  /** Largest number of connections, as far as the system allows open files. @default 12,000 */
  readonly maxMiners?: number | undefined
}

export type GatewaySettings = {
  readonly [Name in keyof GatewayOptions]-?: Exclude<GatewayOptions[Name], undefined>
}

const defaults = {
  feederIntervalMs: 100,
  beaconIntervalMs: 100,
  pendingTimeoutMs: 2000,
  maxMicroblocks: 8,
  maxTransactionsPerMicroblock: 3,
  maxTransactions: 300,
  watchdogMs: 12_000,
  pingIntervalMs: 25_000,
  probesFirst: false,
  strictHail: false,
  hailTimeoutMs: 10_000,
  maxMiners: MAX_MINERS,
}

/** Returns the options with their defaults; an undefined one has its default too. */
export function gatewaySettings(options: GatewayOptions): GatewaySettings {
  const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined
  const given: Partial<GatewaySettings> = Object.fromEntries(Object.entries(options).filter(isGiven))
  const { beaconIntervalMs = defaults.beaconIntervalMs } = given
  const { framesPerSecond = Math.max(50, 2000 / beaconIntervalMs) } = given
  return { ...defaults, framesPerSecond, framesAtOnce: 2 * framesPerSecond, ...given }
}
