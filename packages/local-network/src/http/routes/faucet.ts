import { faucetEndpoint, looksLikeAddress } from '@hailstone/protocol'
import type { ApiParts } from '../api-parts.ts'
import { ApiRefusal } from '../api-refusal.ts'
import { postRoute, type Route } from '../route.ts'

/** A JSON or form body with `pubkey`. The public faucet checks nothing; a wrong address here is a mistake. */
function addressOf(body: unknown): string {
  const address: unknown = (body as { readonly pubkey?: unknown } | null | undefined)?.pubkey
  if (typeof address === 'string' && looksLikeAddress(address)) return address.toLowerCase()
  throw new ApiRefusal(
    400,
    'Send {"pubkey":"<address>"} as JSON or as a form; an address is 66 hex digits that begin with 02 or 03.',
  )
}

export const faucetRoutes = ({ faucet }: ApiParts): readonly Route[] => [
  postRoute(faucetEndpoint, (body) => faucet(addressOf(body))),
]
