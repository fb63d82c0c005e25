type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const count: Schema = { type: 'integer', minimum: 0 }
const hash: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const blockName: Schema = { type: 'string', pattern: '^([0-9a-f]{64}|[A-Z0-9_]{1,32})$' }
const address: Schema = { type: 'string', pattern: '^0[23][0-9a-f]{64}$' }
const units: Schema = { description: 'units of the token, as digits', type: 'string', pattern: '^[0-9]+$' }
const timeMs: Schema = { description: 'Unix milliseconds', type: 'number' }
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
const error: Schema = {
  type: 'object',
  required: ['code', 'message', 'facts'],
  properties: { name: text, code: text, message: text, facts: { type: 'object' } },
}
const reason: Schema = { type: ['object', 'string'] }
const stamp = { height: orNull(count), readAtMs: timeMs, source: text }
const reward = {
  address,
  recordType: text,
  role: { enum: ['miner', 'referral', 'agent', 'tokenOwner', 'other'] },
  amount: units,
  tokenId: orNull(hash),
  recordHash: blockName,
  microblockHash: orNull(hash),
  miner: orNull(address),
  height: orNull(count),
  timeMs: { ...timeMs, description: 'time of the key block, Unix milliseconds' },
}
const publication = { address, microblockHash: hash }
const refusal = { exitCode: count, code: text, message: text, nextStep: text }
const payment = { hash: orNull(hash), to: address, amount: units, status: text }

/**
 * Members that a line of an event has. The names up to `failed` are those of the events of a mining node and a fleet, and
 * so are their members.
 */
const events: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  started: {},
  connected: { address, url: text },
  hailed: { address, url: text },
  beaconReceived: { address, microblockHash: hash, keyBlockHash: blockName, transactionCount: count },
  beaconRefused: { ...publication, why: text },
  published: publication,
  missed: publication,
  included: { ...publication, height: count, reward: orNull(units), tokenId: hash },
  rewarded: reward,
  referralRewarded: reward,
  reverted: reward,
  referralMissed: {
    address,
    microblockHash: hash,
    miner: address,
    tokenId: hash,
    height: count,
    amount: units,
  },
  balanceChanged: {
    address,
    amount: units,
    isKnown: flag,
    decimals: count,
    previous: orNull(units),
    ...stamp,
  },
  heightChanged: { height: count, isStale: flag },
  disconnected: { address, why: text, reason, delayMs: { type: 'number' } },
  stopped: { address, reason, why: text },
  failed: { error },
  keyRefused: { index: count, error },
  shortage: { code: text, openSockets: count },
  healthServed: { port: count, url: text },
  configReloaded: { message: text },
  configRefused: { message: text },
  webhookFailed: { message: text },
  linesLost: { lines: count, message: text },
  bridgeOpened: { url: text, upstreams: count, healthPort: orNull(count) },
  bridgeCounted: { sessions: count, opened: count, refused: { type: 'object' } },
  minerDied: { reason: text, waitMs: count, deaths: count },
  process: {
    program: orNull(text),
    processId: orNull(count),
    startedAtMs: orNull(timeMs),
    name: orNull(text),
    folder: orNull(text),
    healthUrl: orNull(text),
    state: { enum: ['ready', 'notReady', 'unknown'] },
    code: orNull(text),
    why: orNull(text),
    nextStep: orNull(text),
    status: { type: ['object', 'null'] },
  },
  prepared: { to: address, amount: units, fee: units },
  payment,
  payout: { status: text, to: address },
  error: refusal,
}

/** Returns the JSON Schema of a line that a command writes with `--json` about an event. */
export const linesSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A line of hailstone --json about an event',
  oneOf: Object.entries(events).map(([event, properties]) => ({
    type: 'object',
    required: ['at', 'event', ...Object.keys(properties)],
    properties: {
      at: {
        description: 'time at which the line was written, in UTC',
        type: 'string',
        pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
      },
      event: { const: event },
      ...properties,
    },
  })),
})
