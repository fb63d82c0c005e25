import { isAddress } from '@hailstone/protocol'

/** Reads a payment request from a scanned code, a link or a pasted text. */
export function paymentRequestOf(entered: string): { readonly to: string; readonly amount: string | null } {
  const plain = entered.trim()
  if (URL.canParse(plain)) {
    const { searchParams } = new URL(plain)
    const to = searchParams.get('to')
    if (to !== null) return { to, amount: searchParams.get('amount') }
  }
  // Pasted addresses may contain line breaks and blanks.
  const joined = plain.replaceAll(/\s/g, '')
  return { to: isAddress(joined.toLowerCase()) ? joined : plain, amount: null }
}
