import type { Address } from '@hailstone/mining-node'
import type { AccountStore } from './account-store.ts'
import { KEPT } from './controller-state.ts'
import { type AccountState, addressOf } from './engine-state.ts'
import type { Storage, Values } from './storage.ts'

const addressIn = ({ account }: Values): Address | null =>
  (account as { readonly address: Address } | undefined)?.address ?? null

/** Reads the account and its values. Another tab may make another account active between the two readings. */
export async function readAccount(stores: {
  readonly account: AccountStore
  readonly storage: Storage
}): Promise<{ readonly account: AccountState; readonly kept: Values }> {
  for (;;) {
    const account = await stores.account.state()
    const kept = await stores.storage.swap(KEPT, () => ({}))
    if (addressIn(kept) === addressOf(account)) return { account, kept }
  }
}

/**
 * Stores values of an account; undefined removes one. Stores nothing if the account is not active any more: what is stored
 * under these names belongs to another account then. Returns whether it stored them.
 */
export async function keepValues(
  storage: Storage,
  address: Address | null,
  values: Values,
): Promise<boolean> {
  const before = await storage.swap(['account'], (now) => (addressIn(now) === address ? values : {}))
  return addressIn(before) === address
}
