import { createClient } from '@hailstone/client'
import { createMiningNode, formatAmount, walletFromPrivateKey } from '@hailstone/mining-node'
import { lastValue, MiningProvider, useBalance, useMiner, useRewards } from '@hailstone/react'
import { StrictMode, useEffect, useMemo, version } from 'react'
import { createRoot } from 'react-dom/client'

const {
  apiUrl = '',
  gatewayUrl = '',
  key = '',
} = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))

function Screen() {
  const { isMining, start } = useMiner()
  const balance = lastValue(useBalance())
  const { rows } = useRewards()
  useEffect(() => void start(), [start])
  return (
    <>
      <p>
        React {version}, {isMining ? 'mining' : 'not mining yet'}
      </p>
      <p id="balance">{balance === undefined ? '—' : formatAmount(balance.amount, { decimals: 10 })}</p>
      <p id="rewards">{rows.length} rewards</p>
    </>
  )
}

function App() {
  const { node, client } = useMemo(() => {
    const client = createClient({ apiUrl })
    return { client, node: createMiningNode({ wallet: walletFromPrivateKey(key), client, gatewayUrl }) }
  }, [])
  return (
    <MiningProvider node={node} client={client}>
      <Screen />
    </MiningProvider>
  )
}

const root = document.getElementById('app')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
