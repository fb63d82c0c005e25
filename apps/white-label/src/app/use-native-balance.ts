import { useMiner } from '@hailstone/react'
import { useEffect, useState } from 'react'
import { useApp } from './app-context.ts'

export type NativeBalance = {
  readonly amount: bigint | null
  readonly decimals: number
  readonly symbol: string
}

/** The network's own coin of this account; null where it is the mined token itself or is not known. */
export function useNativeBalance(): NativeBalance | null {
  const { host } = useApp()
  const { address, tokenId, height } = useMiner()
  const [balance, setBalance] = useState<NativeBalance | null>(null)
  const at = height?.value ?? 0
  useEffect(() => {
    let isOver = false
    async function read(): Promise<void> {
      const native = await host.client.getNativeToken({})
      if (native === undefined || native.id === tokenId) return
      const { amount } = await host.client.getBalance({ address, tokenId: native.id })
      if (!isOver) setBalance({ amount, decimals: native.decimals, symbol: native.symbol })
    }
    // What was read before stays on the screen.
    read().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [host, address, tokenId, at])
  return balance
}
