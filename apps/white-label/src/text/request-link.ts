/**
 * Returns a link that fills in the payment form of another person. It never sends anything.
 *
 * @param place what links into the app begin with
 * @param amount whole coins with a point; null leaves it to the payer
 */
export const requestLink = (place: string, to: string, amount: string | null): string =>
  `${place}wallet/send?${new URLSearchParams(amount === null ? { to } : { to, amount })}`
