import {
  createClient,
  createMiningNode,
  createWallet,
  formatAmount,
  type MiningNode,
  type Wallet,
  walletFromPrivateKey,
} from '@hailstone/mining-node'

// Where the network is: the local one, or `?api=…&gateway=…`.
const query = new URLSearchParams(location.search)
const apiUrl = query.get('api') ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = query.get('gateway') ?? 'ws://127.0.0.1:4411'
const client = createClient({ apiUrl })

const element = <T extends HTMLElement = HTMLElement>(id: string): T => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element ${id}.`)
  return found as T
}
const secret = element<HTMLInputElement>('secret')
const toggle = element<HTMLButtonElement>('toggle')
const faucet = element<HTMLButtonElement>('faucet')

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const showFault = (error: unknown): void => {
  element('fault').textContent = sentence(error)
}

function log(text: string): void {
  const line = document.createElement('li')
  line.textContent = `${new Date().toLocaleTimeString()}  ${text}`
  element('log').prepend(line)
  while (element('log').children.length > 100) element('log').lastElementChild?.remove()
}

const token = client.getNativeToken().then((found) => {
  if (found === undefined) throw new Error('It has no native token.')
  return found
})
token.then(
  ({ symbol }) => (element('network').textContent = `Mines ${symbol} through ${apiUrl}`),
  (error) =>
    (element('network').textContent = `The network does not answer. Is it running? ${sentence(error)}`),
)

async function inCoins(units: bigint): Promise<string> {
  const { decimals, symbol } = await token
  return `${formatAmount(units, { decimals })} ${symbol}`
}

function follow(node: MiningNode): void {
  const showStatus = (): void => {
    const { status, why } = node.state
    element('status').textContent = why === '' ? status : `${status}: ${why}`
  }
  node.subscribe(showStatus)
  node.on('connected', () => log('connected to the gateway'))
  node.on('published', ({ microblockHash }) => log(`signed microblock ${microblockHash.slice(0, 12)}…`))
  node.on('included', ({ microblockHash, height }) =>
    log(`microblock ${microblockHash.slice(0, 12)}… is in block ${height}`),
  )
  node.on('rewarded', async ({ amount, height }) => log(`earned ${await inCoins(amount)} in block ${height}`))
  node.on('beaconRefused', ({ why }) => log(`did not sign a beacon: ${why}`))
  node.on('disconnected', ({ why }) => log(`disconnected: ${why}`))
  node.on('balanceChanged', async ({ amount }) => (element('balance').textContent = await inCoins(amount)))
  node.on('stopped', ({ reason }) => log(`stopped: ${reason}`))
  showStatus()
  void node.watch()
}

function use(wallet: Wallet): void {
  const node = createMiningNode({ wallet, client, gatewayUrl })
  let isMining = false
  follow(node)
  element('address').textContent = wallet.address
  element('key').hidden = true
  element('account').hidden = false
  void node.watch().catch(showFault)
  toggle.addEventListener('click', async () => {
    isMining = !isMining
    toggle.textContent = isMining ? 'Stop mining' : 'Start mining'
    await (isMining ? node.start() : node.stop()).catch((error: unknown) => log(sentence(error)))
  })
  faucet.addEventListener('click', async () => {
    faucet.disabled = true
    const answer = await client.requestTestCoins({ address: wallet.address }).catch(sentence)
    log(
      answer === true
        ? 'test coins are on their way; they arrive with the next block'
        : `no test coins: ${answer || 'asked too often'}`,
    )
    faucet.disabled = false
  })
  window.addEventListener('pagehide', () => void node.close())
}

function enter(makeWallet: () => Wallet): void {
  try {
    use(makeWallet())
    secret.value = ''
  } catch (error) {
    showFault(error)
  }
}

element('key').addEventListener('submit', (event) => {
  event.preventDefault()
  enter(() => walletFromPrivateKey(secret.value.trim()))
})
element('make').addEventListener('click', () => enter(() => createWallet()))
