import { type Address, assertArgument, isAddress, parseAddress, parseTokenId } from '@hailstone/protocol'
import { assertFunction } from './assert-listens.ts'
import { isWallet } from './session/signer.ts'

// For programs that no compiler checks.

type Settings = { readonly client?: unknown; readonly blockTimeMs?: unknown; readonly cursors?: unknown }

const assertClient = (client: unknown): void =>
  assertArgument(
    Object(client) === client && 'transport' in Object(client),
    'client',
    'a client, of createClient({ apiUrl })',
    client,
  )

/** Asserts the settings that a node and a fleet share. */
function assertSettings({ client, blockTimeMs = 1, cursors }: Settings): void {
  if (client !== undefined) assertClient(client)
  const isTime = typeof blockTimeMs === 'number' && blockTimeMs > 0
  assertArgument(isTime, 'blockTimeMs', 'a number of milliseconds above 0', blockTimeMs)
  if (cursors !== undefined) assertCursors('cursors', cursors)
}

function assertCursors(name: string, cursors: unknown): void {
  const isStore = Object(cursors) === cursors && 'read' in Object(cursors)
  assertArgument(isStore, name, 'a store of cursors, such as that of openFileCursors({ folder })', cursors)
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertFleet(
  parameters: Settings & { readonly wallets?: unknown; readonly keys?: unknown },
): void {
  const isObject = Object(parameters) === parameters
  assertArgument(isObject, 'of a fleet', 'an object, such as { keys, gatewayUrl }', parameters)
  assertSettings(parameters)
  const { wallets = [], keys = [] } = parameters
  // A text would be a list of its letters. It is not repeated: it may be a key.
  assertArgument(typeof keys !== 'string', 'keys', 'a list of private keys', {})
  for (const wallet of Array.isArray(wallets) ? wallets : []) assertWallet('wallets', wallet)
}

const assertWallet = (name: string, wallet: unknown): void =>
  assertArgument(
    isAddress(Object(wallet ?? {}).address),
    name,
    'a wallet, of createWallet() or walletFromPrivateKey(key)',
    wallet,
  )

/** @throws {NodeError} `ARGUMENT_INVALID` for what cannot be called */
export const assertListener = (listener: unknown): void => assertFunction(listener, 'listener')

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertMiner(
  parameters: Settings & {
    readonly wallet: { readonly address: string }
    readonly onDuplicateKey?: string | undefined
  },
): void {
  assertArgument(Object(parameters) === parameters, 'of a miner', 'an object, such as { wallet }', parameters)
  const { wallet, onDuplicateKey = 'stop' } = parameters
  assertSettings(parameters)
  assertWallet('wallet', wallet)
  assertArgument(
    ['stop', 'wait'].includes(onDuplicateKey),
    'onDuplicateKey',
    "'stop' or 'wait'",
    onDuplicateKey,
  )
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertAccountWatch(parameters: Settings & { readonly client: unknown }): void {
  const isObject = Object(parameters) === parameters
  assertArgument(isObject, 'of a watch', 'an object, such as { client, address }', parameters)
  assertClient(parameters.client)
  assertSettings(parameters)
}

/**
 * Asserts that a signer that may answer later comes with what waits for it.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export const assertSignsNow = (parameters: { readonly wallet: object; readonly signLater?: unknown }): void =>
  assertArgument(
    isWallet(parameters.wallet) || parameters.signLater !== undefined,
    'signLater',
    "signLater of '@hailstone/mining-node/signer', for a signer that is no wallet",
    undefined,
  )

type Watching = {
  readonly client: unknown
  readonly address?: string
  readonly tokenId?: string | undefined
}

/** @throws {NodeError} `ARGUMENT_INVALID`, `TOKEN_ID_MALFORMED` */
export function assertWatching(parameters: Watching, name: 'onReward' | 'onChange' | 'onMissed'): void {
  assertArgument(Object(parameters) === parameters, 'of a watch', 'an object, such as { client }', parameters)
  const { client, tokenId } = parameters
  assertClient(client)
  assertFunction(Reflect.get(parameters, name), name)
  if (tokenId !== undefined) parseTokenId(tokenId)
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertCursor(cursor: { readonly store?: unknown; readonly name?: unknown }): void {
  const { store, name } = cursor
  assertCursors('cursor.store', store)
  assertArgument(typeof name === 'string', 'cursor.name', 'a text', name)
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertCursorsOfChain(parameters: {
  readonly store?: unknown
  readonly client?: unknown
}): void {
  const { store, client } = Object(parameters ?? {}) as typeof parameters
  assertCursors('store', store)
  assertClient(client)
}

/** Like {@link assertWatching}, for a watch of an account. Returns its address in lower case. */
export function assertWatchingAccount(
  parameters: Watching & { readonly address: string },
  name: 'onReward' | 'onChange' | 'onMissed',
): Address {
  assertWatching(parameters, name)
  return parseAddress(parameters.address)
}

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertDelivery({
  from = 'now',
  maxAttempts = 1,
}: {
  readonly from?: unknown
  readonly maxAttempts?: unknown
}): void {
  const isPlace = from === 'now' || (typeof from === 'number' && Number.isSafeInteger(from) && from >= -1)
  assertArgument(isPlace, 'from', "a cursor of an earlier watch, -1 or 'now'", from)
  // A text is never reached by a count: nothing would ever be undelivered.
  const isCount = typeof maxAttempts === 'number' && maxAttempts >= 1
  assertArgument(isCount, 'maxAttempts', 'a number from 1 on', maxAttempts)
}
