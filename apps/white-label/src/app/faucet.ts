type Places = { readonly faucet: string | null; readonly api: string }

/** True if the faucet is asked by the app itself; one on a host of its own is opened in the browser. */
export const isOwnFaucet = ({ faucet, api }: Places): boolean => faucet?.startsWith(api) === true

/** True if the network has a faucet that can be asked or opened. */
export const hasFaucet = (places: Places): boolean =>
  isOwnFaucet(places) || places.faucet?.startsWith('https:') === true
