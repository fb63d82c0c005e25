import type { RuntimeBrand } from '@hailstone/brand/runtime'

/** Returns the page of the publisher that sends first coins to an address; null if the brand names none. */
export function claimLink({ links }: Pick<RuntimeBrand, 'links'>, address: string): string | null {
  if (links.claim === null) return null
  const url = new URL(links.claim)
  url.searchParams.set('address', address)
  return url.href
}
