import { createContext, createElement, type ReactNode, useContext, useMemo } from 'react'
import type { ClientPort, MinerPort, PaymentsPort } from './mining-ports.ts'

export type MiningProviderProps = {
  readonly node: MinerPort
  /** For what the node does not follow: token and reward history. */
  readonly client: ClientPort
  /** For {@link useSend}. */
  readonly payments?: PaymentsPort | undefined
  readonly children?: ReactNode | undefined
}

type MiningParts = Omit<MiningProviderProps, 'children'>

const MiningContext = createContext<MiningParts | null>(null)

/** Gives a node, its client and its payments to the hooks below. It starts and stops nothing. */
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
