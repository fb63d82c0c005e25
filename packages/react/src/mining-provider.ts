import { createContext, createElement, type ReactNode, useContext, useMemo } from 'react'
import type { ClientPort, MinerPort, PaymentsPort, WatchPort } from './mining-ports.ts'

/** Properties of {@link MiningProvider}. */
export type MiningProviderProps = {
  /** A mining node; for a page that only watches, an account watch of `createAccountWatch`. */
  readonly node: MinerPort | WatchPort
  /** Reads what the node does not follow: tokens and the reward history. */
  readonly client: ClientPort
  /** Required by {@link useSend}. */
  readonly payments?: PaymentsPort | undefined
  /** The components whose hooks read this node. */
  readonly children?: ReactNode | undefined
}

type MiningParts = Omit<MiningProviderProps, 'children'>

const MiningContext = createContext<MiningParts | null>(null)

/**
 * Provides a node, or an account watch, a client and payments to the hooks. Does not start or stop them.
 *
 * @example
 * const node = createAccountWatch({ address, client })
 * await node.watch()
 * root.render(<MiningProvider node={node} client={client}><Balance /></MiningProvider>)
 */
export function MiningProvider({ node, client, payments, children }: MiningProviderProps): ReactNode {
  const parts = useMemo(() => ({ node, client, payments }), [node, client, payments])
  return createElement(MiningContext.Provider, { value: parts }, children)
}

/** @throws {Error} outside a provider */
export function useMiningParts(): MiningParts {
  const parts = useContext(MiningContext)
  if (parts === null) throw new Error('The mining hooks work below a <MiningProvider>.')
  return parts
}
