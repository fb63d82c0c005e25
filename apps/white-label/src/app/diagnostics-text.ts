import type { RuntimeBrand } from '@hailstone/brand/runtime'
import type { EngineState } from '../engine/engine-state.ts'

const SECRET = /\b(?:0x)?[0-9a-f]{64}\b/gi
const ADDRESS = /\b0[23][0-9a-f]{64}\b/gi
const CODE = /\bref_[0-9a-f]{66}\b/gi

const ends = (text: string): string => `${text.slice(0, 8)}…${text.slice(-4)}`

/**
 * Shortens what identifies a person or could be a secret: addresses and codes keep both ends, anything that looks
 * like a key or hash of 64 digits keeps its first eight.
 */
export const redacted = (text: string): string =>
  text
    .replace(CODE, ends)
    .replace(ADDRESS, ends)
    .replace(SECRET, (found) => `${found.slice(0, 8)}…`)

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** Returns a readable report for support. People see it before they share it. */
export function diagnosticsText(parameters: {
  readonly brand: RuntimeBrand
  readonly engine: EngineState
  readonly version: string
  readonly userAgent: string
}): string {
  const { brand, engine, version, userAgent } = parameters
  const { account, snapshot, run, policy, log, payments, paymentsFault, isLeader } = engine
  const report = {
    app: { id: brand.id, version, configHash: brand.configHash.slice(0, 16), environment: brand.environment },
    at: new Date().toISOString(),
    browser: userAgent,
    network: { api: brand.network.api, gateways: brand.network.poa },
    account: account.status,
    isLeader,
    run,
    policy,
    state: snapshot?.state ?? null,
    height: snapshot?.height ?? null,
    api: snapshot?.api ?? null,
    publications: snapshot?.publications ?? null,
    warnings: snapshot?.warnings ?? [],
    lastError: snapshot?.lastError ?? null,
    lastRefusal: snapshot?.lastRefusal ?? null,
    payments: payments.map(({ state, createdAtMs }) => ({ status: state.status, createdAtMs })),
    paymentsFault: paymentsFault ?? null,
    log: log.slice(0, 100),
  }
  return redacted(JSON.stringify(report, plain, 2))
}
