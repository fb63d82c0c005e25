'use client'

import { useEffect, useState } from 'react'

/**
 * A key is made in an effect, which runs in a browser alone. Next renders a client component on the server too, and
 * pages without parameters while it builds: a `createWallet()` in the body of the component, or of the module, would
 * make one key at build time, and give it to every visitor.
 */
async function mine({ apiUrl, gatewayUrl }, tell) {
  const { createClient } = await import('@hailstone/client')
  const { createMiningNode, createWallet } = await import('@hailstone/mining-node')
  const wallet = createWallet() // keep it: `openBrowserVault` of the client stores it encrypted
  const client = createClient({ apiUrl })
  const node = createMiningNode({ wallet, client, gatewayUrl })
  await client.requestTestCoins({ address: wallet.address }) // on a local network
  node.on('rewarded', ({ amount, height }) => tell(`A reward of ${amount} units at height ${height}`))
  await node.start()
  tell(wallet.address)
  return node
}

export function Miner() {
  const [reported, setReported] = useState('Starting …')
  const [address, setAddress] = useState('')
  useEffect(() => {
    const parameters = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
    const starting = mine(parameters, (text) => (text.startsWith('0') ? setAddress(text) : setReported(text)))
    return () => void starting.then((node) => node.close())
  }, [])
  return (
    <main>
      <p id="address">{address}</p>
      <p id="reported">{reported}</p>
    </main>
  )
}
