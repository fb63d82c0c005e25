import { isAddress } from '@hailstone/protocol'

/** What a scanned code, a link or a pasted text says about a payment. */
export function paymentRequestOf(entered: string): { readonly to: string; readonly amount: string | null } {
  const plain = entered.trim()
  if (URL.canParse(plain)) {
    const { searchParams } = new URL(plain)
    const to = searchParams.get('to')
    if (to !== null) return { to, amount: searchParams.get('amount') }
  }
  // However it was copied, on several lines say: an address has no blanks.
  const joined = plain.replaceAll(/\s/g, '')
  return { to: isAddress(joined.toLowerCase()) ? joined : plain, amount: null }
}
