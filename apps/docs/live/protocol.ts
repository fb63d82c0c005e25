/** Message from the page to its worker. */
export type Order = { readonly apiUrl: string; readonly gatewayUrl: string }

/** Message from the worker to its page: a line for people. */
export type Line = { readonly text: string; readonly isReward: boolean; readonly isOver: boolean }
