import { assertArgument, isAddress, parseAddress } from '@hailstone/protocol'
import type { AssertListens } from './events.ts'
import { levels } from './log-events.ts'

// For programs that no compiler checks. The default entry for browsers goes without: it counts every byte.

/** The event that has most of the pairs of letters of a misspelt name. */
function nearestEvent(name: string): string {
  const pairs = [...name].slice(1).map((_, at) => name.slice(at, at + 2))
  const score = (event: string): number =>
    pairs.filter((pair) => event.includes(pair)).length / (event.length + name.length)
  return Object.keys(levels).reduce((best, event) => (score(event) > score(best) ? event : best))
}

const assertFunction = (listener: unknown, name: string): void =>
  assertArgument(typeof listener === 'function', name, 'a function', listener)

export const assertListens: AssertListens = (event, listener) => {
  if (!Object.hasOwn(levels, event)) {
    assertArgument(false, 'event', `the name of an event, such as '${nearestEvent(String(event))}'`, event)
  }
  assertFunction(listener, 'listener')
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertMiner(parameters: {
  readonly wallet: { readonly address: string }
  readonly onDuplicateKey?: string | undefined
}): void {
  assertArgument(Object(parameters) === parameters, 'of a miner', 'an object, such as { wallet }', parameters)
  const { wallet, onDuplicateKey = 'stop' } = parameters
  const expected = 'a wallet, of createWallet() or walletFromPrivateKey(key)'
  assertArgument(isAddress(wallet?.address), 'wallet', expected, wallet)
  assertArgument(
    ['stop', 'wait'].includes(onDuplicateKey),
    'onDuplicateKey',
    "'stop' or 'wait'",
    onDuplicateKey,
  )
}

type Watching = { readonly client: unknown; readonly address?: string }

/** @throws {NodeError} `ARGUMENT_INVALID`, `ADDRESS_MALFORMED` */
export function assertWatching(parameters: Watching, name: 'onReward' | 'onChange' | 'onMissed'): void {
  assertArgument(Object(parameters) === parameters, 'of a watch', 'an object, such as { client }', parameters)
  const { client } = parameters
  assertArgument(Object(client) === client, 'client', 'a client, of createClient({ apiUrl })', client)
  assertFunction(Reflect.get(parameters, name), name)
}

/** As {@link assertWatching}, for a watch of an account. */
export function assertWatchingAccount(
  parameters: Watching & { readonly address: string },
  name: 'onReward' | 'onChange' | 'onMissed',
): void {
  assertWatching(parameters, name)
  parseAddress(parameters.address)
}
