import {
  type Hash,
  microblockEndpoint,
  nativeTokenEndpoint,
  type TokenAnswer,
  type TokenId,
  tokenEndpoint,
  tokenNamesEndpoint,
} from '@hailstone/protocol'
import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.ts'

export type Named = Pick<TokenAnswer, 'decimals' | 'symbol'>

const TIMEOUT_MS = 5_000

/** Returns a reader of what never changes: each key is asked for once, and again after it was not known. */
function remembered<K, T>(question: (key: K, signal: AbortSignal) => Promise<T | undefined>) {
  const known = new Map<K, Promise<T | undefined>>()
  return (key: K): Promise<T | undefined> => {
    const present = known.get(key)
    if (present !== undefined) return present
    const asked = question(key, AbortSignal.timeout(TIMEOUT_MS))
    known.set(key, asked)
    const forget = () => known.delete(key)
    asked.then((value) => value ?? forget(), forget)
    return asked
  }
}

const nameOf = remembered<TokenId, Named>(
  async (tokenId, signal) => (await ask(tokenEndpoint, { tokenId }, signal))?.[0],
)

const nativeName = remembered<'native', Named>((_, signal) => ask(nativeTokenEndpoint, {}, signal))

/** Symbol and decimals of the token that a microblock was mined in. */
const minedName = remembered<Hash, Named>(async (hash, signal) => {
  const tokenId = (await ask(microblockEndpoint, { hash }, signal))?.header?.tokenId
  return tokenId === undefined ? undefined : nameOf(tokenId)
})

/** Undefined until the node has answered, null when it does not know. */
function useRead<K>(read: (key: K) => Promise<Named | undefined>, key: K): Named | null | undefined {
  const [token, setToken] = useState<Named | null>()
  useEffect(() => {
    let isWanted = true
    read(key).then(
      (found) => isWanted && setToken(found ?? null),
      () => isWanted && setToken(null),
    )
    return () => {
      isWanted = false
    }
  }, [key])
  return token
}

export const useTokenName = (tokenId: TokenId): Named | null | undefined => useRead(nameOf, tokenId)

export const useNativeName = (): Named | null | undefined => useRead(nativeName, 'native')

/** Of the token that a microblock was mined in. */
export const useMinedName = (microblock: Hash): Named | null | undefined => useRead(minedName, microblock)

/** Symbols of all tokens by their ids. */
export async function tokenSymbols(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = (await ask(tokenNamesEndpoint, {}, signal)) ?? []
  return new Map(names.map(({ id, symbol }) => [id, symbol]))
}
