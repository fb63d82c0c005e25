// Mines on a thread of its own: the key never leaves it, and the page stays smooth.
import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet, formatAmount } from '@hailstone/mining-node'
import { verifyLeader } from '@hailstone/mining-node/leader'
import type { ToPage, ToWorker } from './messages.ts'

// `npm run dev` names its network; a build is for the one that these variables name.
const apiUrl = import.meta.env.VITE_HAILSTONE_API ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = import.meta.env.VITE_HAILSTONE_GATEWAY ?? 'ws://127.0.0.1:4411'

const send = (message: ToPage): void => self.postMessage(message)
const report = (error: unknown): void =>
  send({ kind: 'fault', sentence: error instanceof Error ? error.message : String(error) })

// A new key each time the page is opened. To keep one: `openBrowserVault` of `@hailstone/client`.
const wallet = createWallet()
const client = createClient({ apiUrl })
const node = createMiningNode({ wallet, client, gatewayUrl, verifyLeader })

/** Decimals turn units into coins: until the API has named them, units are shown. */
let token: Awaited<ReturnType<typeof client.getNativeToken>>
const inCoins = (units: bigint): string =>
  token === undefined ? `${units} units` : `${formatAmount(units, token)} ${token.symbol}`

function sendState(): void {
  const { state, balance } = node.snapshot()
  const shown = balance === null ? '—' : inCoins(balance.amount)
  send({ kind: 'state', status: state.status, why: state.why, balance: shown })
}

async function findToken(): Promise<void> {
  token = await client.getNativeToken().catch(() => undefined)
  if (token === undefined) setTimeout(findToken, 3_000)
  else sendState()
}

node.subscribe(sendState)
node.on('rewarded', ({ amount, height }) => send({ kind: 'reward', amount: inCoins(amount), height }))

async function start(): Promise<void> {
  await node.start()
  // Mining waits until the account has a stake, which local networks give away.
  const { amount } = await client.getBalance({ address: wallet.address })
  if (amount === 0n && !(await client.requestTestCoins({ address: wallet.address })))
    throw new Error('No test coins: the faucet is empty, or has served this address a moment ago.')
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  const call = data.kind === 'start' ? start() : node.stop()
  call.catch(report)
})
send({ kind: 'address', address: wallet.address })
node.watch().catch(report)
void findToken()
