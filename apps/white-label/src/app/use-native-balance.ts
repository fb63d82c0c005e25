import { useMiner } from '@hailstone/react'
import { useEffect, useRef, useState } from 'react'
import { useApp, useEngine } from './app-context.ts'
import { balanceOf } from './repeated-no.ts'

export type NativeBalance = {
  readonly amount: bigint | null
  readonly decimals: number
  readonly symbol: string
}

/** Returns the balance of the network's native coin; null if it is the mined token itself or unknown. */
export function useNativeBalance(): NativeBalance | null {
  const { host } = useApp()
  const { address, tokenId } = useMiner()
  const snapshot = useEngine()?.snapshot
  const [balance, setBalance] = useState<NativeBalance | null>(null)
  const shown = useRef<bigint | null>(null)
  // The other balance changes no more often than the mined one is read.
  const at = snapshot?.balance?.readAtMs ?? 0
  const isMined = snapshot?.stakes?.nativeTokenId === tokenId
  useEffect(() => {
    let isOver = false
    if (isMined) return
    async function read(): Promise<void> {
      const native = await host.client.getNativeToken({})
      if (native === undefined || native.id === tokenId) return
      const { amount } = await balanceOf(host.client, { address, tokenId: native.id }, shown.current)
      if (isOver) return
      shown.current = amount
      setBalance({ amount, decimals: native.decimals, symbol: native.symbol })
    }
    // On failure the last reading stays on the screen.
    read().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [host, address, tokenId, at, isMined])
  return balance
}
