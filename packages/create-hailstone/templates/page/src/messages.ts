/** Messages between the page and its worker. Amounts are texts in coins, ready to be shown. */
export type ToWorker = { readonly kind: 'start' } | { readonly kind: 'stop' }

export type ToPage =
  | { readonly kind: 'state'; readonly status: string; readonly why: string; readonly balance: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'reward'; readonly amount: string; readonly height: number | null }
  | { readonly kind: 'fault'; readonly sentence: string }
