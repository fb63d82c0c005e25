import { faucetEndpoint, isTokenId, looksLikeAddress, parseAddress } from '@hailstone/protocol'
import type { FaucetAnswer, FaucetRequest } from '../../chain/faucet.ts'
import type { ApiParts } from '../api-parts.ts'
import { ApiRefusal, notFound } from '../api-refusal.ts'
import { postRoute, type Route } from '../route.ts'

const refused = (message: string): ApiRefusal => new ApiRefusal(400, message)

/** A JSON or form body. The public faucet checks nothing; a wrong value here is a mistake. */
function requestOf(body: unknown): FaucetRequest {
  const { pubkey, token, as } = (body ?? {}) as Readonly<Record<'pubkey' | 'token' | 'as', unknown>>
  if (typeof pubkey !== 'string' || !looksLikeAddress(pubkey))
    throw refused(
      'Send {"pubkey":"<address>"} as JSON or as a form; an address is 66 hex digits that begin with 02 or 03.',
    )
  if (token !== undefined && !isTokenId(token)) throw refused('The token should be its id of 64 hex digits.')
  if (as !== undefined && as !== 'agent')
    throw refused('"as" should be "agent", or absent for the stake of a miner.')
  return { address: parseAddress(pubkey), tokenId: token, as }
}

function isSent(answer: FaucetAnswer): boolean {
  if (answer === 'token unknown') throw notFound('The network knows no such token.')
  if (answer === 'token not mineable')
    throw refused('The token cannot be mined: the faucet gives stakes alone.')
  return answer === 'sent'
}

export const faucetRoutes = ({ faucet }: ApiParts): readonly Route[] => [
  postRoute(faucetEndpoint, async (body) => isSent(await faucet(requestOf(body)))),
]
