import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet, formatAmount } from '@hailstone/mining-node'
import { lastValue, MiningProvider, useBalance, useMiner, useRewards } from '@hailstone/react'
import { createRoot } from 'react-dom/client'

const client = createClient({ apiUrl: 'http://127.0.0.1:4410/api/v1' })
const node = createMiningNode({ wallet: createWallet(), client, gatewayUrl: 'ws://127.0.0.1:4411' })
void node.watch()

function Miner() {
  const { state, address, isRunning, start, stop } = useMiner()
  const balance = lastValue(useBalance())
  const { rows } = useRewards()
  const decimals = balance?.decimals ?? null
  return (
    <>
      <p>{`${state.status} ${state.why}`}</p>
      <p>{balance === undefined || decimals === null ? '—' : formatAmount(balance.amount, { decimals })}</p>
      <p>{`${rows.length} rewards`}</p>
      <button type="button" onClick={() => void client.requestTestCoins({ address }).catch(console.error)}>
        Get test coins
      </button>
      <button type="button" onClick={() => void (isRunning ? stop() : start())}>
        {isRunning ? 'Stop' : 'Start'}
      </button>
    </>
  )
}

const App = () => (
  <MiningProvider node={node} client={client}>
    <Miner />
  </MiningProvider>
)
createRoot(document.body).render(<App />)
