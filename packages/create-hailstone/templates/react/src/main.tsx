import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet } from '@hailstone/mining-node'
import { verifyLeader } from '@hailstone/mining-node/leader'
import { MiningProvider } from '@hailstone/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

// `npm run dev` names its network; a build is for the one that these variables name.
const apiUrl = import.meta.env.VITE_HAILSTONE_API ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = import.meta.env.VITE_HAILSTONE_GATEWAY ?? 'ws://127.0.0.1:4411'

// A new key each time the page is opened. To keep one: `openBrowserVault` of `@hailstone/client`.
const wallet = createWallet()
const client = createClient({ apiUrl })
const node = createMiningNode({ wallet, client, gatewayUrl, verifyLeader })
void node.watch()
window.addEventListener('pagehide', () => void node.close())
// A page restored from the browser's cache has a closed node: reload it.
window.addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

async function requestStake(): Promise<boolean> {
  const { address } = wallet
  const { amount } = await client.getBalance({ address })
  return amount > 0n || client.requestTestCoins({ address })
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element root.')
createRoot(root).render(
  <StrictMode>
    <MiningProvider node={node} client={client}>
      <App requestStake={requestStake} />
    </MiningProvider>
  </StrictMode>,
)
