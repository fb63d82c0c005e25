/** Request of a partner's page that the person shows whose account it is. It comes in a link, and is not trusted. */
export type SignInRequest = {
  /** Page that gets the answer. The person is shown its host. */
  readonly page: string
  /** Text of the partner's server that it gives out once. */
  readonly nonce: string
  /** Unix milliseconds. */
  readonly expiresAtMs: number
}

/** Why a request is not answered. */
export type SignInFault = 'malformed' | 'unknownPage' | 'expired' | 'answered'

/** Longest time, in ms, that a request may still be open for. */
export const LONGEST_MS = 3_600_000

const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

/** Reads the request of a link: `page`, `nonce` and `expires`, which is in Unix milliseconds. Missing ones are empty. */
export const signInRequestOf = (link: URLSearchParams): SignInRequest => ({
  page: link.get('page') ?? '',
  nonce: link.get('nonce') ?? '',
  expiresAtMs: Number(link.get('expires') ?? Number.NaN),
})

/**
 * Returns why a request must not be answered; null if it may be.
 *
 * @param pages those of the brand. Whole addresses are compared: a host may have pages that redirect elsewhere, and the
 *   answer would follow.
 */
export function signInFault(
  { page, nonce, expiresAtMs }: SignInRequest,
  { pages, nowMs }: { readonly pages: readonly string[]; readonly nowMs: number },
): SignInFault | null {
  if (!URL.canParse(page) || !/^[\w-]{8,128}$/.test(nonce)) return 'malformed'
  if (!pages.some((known) => sameAddress(known, page))) return 'unknownPage'
  if (!(expiresAtMs <= nowMs + LONGEST_MS)) return 'malformed'
  return expiresAtMs > nowMs ? null : 'expired'
}

/** Returns the address that hands an answer to the partner's page. Fragments do not reach servers and their logs. */
export const answerAddress = (page: string, answer: string): string => {
  const address = new URL(page)
  address.hash = String(new URLSearchParams({ signIn: answer }))
  return address.href
}
