/** What a scanned code, a link or a pasted text says about a payment. */
export function paymentRequestOf(entered: string): { readonly to: string; readonly amount: string | null } {
  const plain = entered.trim()
  if (URL.canParse(plain)) {
    const { searchParams } = new URL(plain)
    const to = searchParams.get('to')
    if (to !== null) return { to, amount: searchParams.get('amount') }
  }
  return { to: plain, amount: null }
}
