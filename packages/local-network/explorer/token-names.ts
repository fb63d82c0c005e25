import { type TokenAnswer, type TokenId, tokenEndpoint, tokenNamesEndpoint } from '@hailstone/protocol'
import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.ts'

type Named = Pick<TokenAnswer, 'decimals' | 'symbol'>

const PATIENCE_MS = 5_000

/** Symbol and decimals of a token never change, so each is asked for once. */
const known = new Map<TokenId, Promise<Named | undefined>>()

function nameOf(tokenId: TokenId): Promise<Named | undefined> {
  const present = known.get(tokenId)
  if (present !== undefined) return present
  const asked = ask(tokenEndpoint, { tokenId }, AbortSignal.timeout(PATIENCE_MS)).then((found) => found?.[0])
  known.set(tokenId, asked)
  // Asked again when it is wanted the next time.
  const forget = () => known.delete(tokenId)
  asked.then((token) => token ?? forget(), forget)
  return asked
}

/** Undefined until the node has said it, and for a token that it does not know. */
export function useTokenName(tokenId: TokenId): Named | undefined {
  const [token, setToken] = useState<Named>()
  useEffect(() => {
    let isWanted = true
    nameOf(tokenId).then(
      (found) => isWanted && setToken(found),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [tokenId])
  return token
}

/** Symbols of all tokens by their ids. */
export async function tokenSymbols(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = (await ask(tokenNamesEndpoint, {}, signal)) ?? []
  return new Map(names.map(({ id, symbol }) => [id, symbol]))
}
