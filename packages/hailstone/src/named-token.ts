import type { Client } from '@hailstone/client'
import { parseTokenId, type TokenId } from '@hailstone/protocol'
import { askAgain } from './ask-again.ts'
import { CommandFailure } from './command-failure.ts'
import { exits } from './exit-codes.ts'
import { UsageError } from './usage-error.ts'

/** True for the id of a token, false for a symbol. */
export const isIdText = (text: string): boolean => /^[\da-f]{64}$/i.test(text)

/**
 * Returns the token of an id or of a symbol. Anybody may create a token of any symbol, so that none of several is picked.
 * A symbol that one answer does not have is asked for again.
 *
 * @throws {CommandFailure} if no token has the symbol
 * @throws {UsageError} if several have it; the message lists their ids
 */
export async function namedToken(client: Client, text: string): Promise<TokenId> {
  if (isIdText(text)) return parseTokenId(text)
  const ids = await askAgain(async () => {
    const names = await client.getTokenNames()
    const found = names.flatMap(({ id, symbol }) => (symbol === text ? [id] : []))
    return found.length > 0 ? found : undefined
  })
  const [first, ...others] = ids ?? []
  if (ids === undefined || first === undefined)
    throw new CommandFailure(
      `The network knows no token "${text}".`,
      exits.notFound,
      'Name a token by its symbol, or by its id, 64 hex digits.',
    )
  if (others.length > 0)
    throw new UsageError(`Several tokens are called ${text}: ${ids.join(', ')}. Name one by its id.`)
  return first
}
