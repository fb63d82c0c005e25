import { createClient } from '@hailstone/client'
import {
  createMiningNode,
  createWallet,
  type MiningNode,
  type Wallet,
  walletFromPrivateKey,
} from '@hailstone/mining-node'
import { verifyLeader } from '@hailstone/mining-node/leader'
import { coinsText, copyAmount, showAmount } from './amounts.ts'
import { forgetKey, isReady, keptKey, keyOfAllTabs, saveKey } from './kept-key.ts'

// Addresses of the network: the local one, or `?api=…&gateway=…`.
const query = new URLSearchParams(location.search)
const apiUrl = query.get('api') ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = query.get('gateway') ?? 'ws://127.0.0.1:4411'
const client = createClient({ apiUrl })

const element = <T extends HTMLElement = HTMLElement>(id: string): T => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element ${id}.`)
  return found as T
}
// Ignores the second click of a double click, when the button may mean something else.
const onClick = (id: string, act: () => unknown): void =>
  element(id).addEventListener('click', ({ detail }) => detail < 2 && act())
const secret = element<HTMLInputElement>('secret')
const toggle = element<HTMLButtonElement>('toggle')
const faucet = element<HTMLButtonElement>('faucet')

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const showFault = (error: unknown): void => element('fault').replaceChildren(sentence(error))

function log(text: string): void {
  const line = document.createElement('li')
  line.textContent = `${new Date().toLocaleTimeString()}  ${text}`
  element('log').prepend(line)
  while (element('log').children.length > 100) element('log').lastElementChild?.remove()
}

// The native token. Read once; retried while the network does not show it.
let token: { readonly symbol: string; readonly decimals: number } | undefined
const inCoins = (units: bigint): string => coinsText(units, token)
async function findNetwork(): Promise<void> {
  let why = 'The network does not show its token at the moment.'
  try {
    token = await client.getNativeToken()
  } catch (error) {
    why = `The network does not answer. Is it running? ${sentence(error)}`
  }
  element('network').textContent = token === undefined ? why : `Mines ${token.symbol} through ${apiUrl}`
  if (token === undefined) setTimeout(findNetwork, 3000)
}
void findNetwork()

/** Draws the screen from the node's snapshot alone. */
function show(node: MiningNode): void {
  const { state, balance, api } = node.snapshot()
  const isActive = state.status !== 'idle' && state.status !== 'stopped'
  toggle.textContent = isActive ? 'Stop mining' : 'Start mining'
  element('status').textContent = state.why === '' ? state.status : `${state.status}: ${state.why}`
  showAmount(balance?.amount, token)
  const ageS = balance === null ? 0 : Math.max(0, Math.round((Date.now() - balance.readAtMs) / 1000))
  const age = `read ${ageS} s ago${balance?.isStale === true ? ', not up to date' : ''}`
  element('age').textContent = balance === null ? api.why : age
}

function follow(node: MiningNode): void {
  node.subscribe(() => show(node))
  setInterval(() => show(node), 1000)
  node.on('connected', () => log('connected to the gateway'))
  node.on('published', ({ microblockHash }) => log(`signed microblock ${microblockHash.slice(0, 12)}…`))
  node.on('included', ({ microblockHash, height }) =>
    log(`microblock ${microblockHash.slice(0, 12)}… is in block ${height}`),
  )
  node.on('rewarded', ({ amount, height }) => log(`earned ${inCoins(amount)} in block ${height}`))
  node.on('beaconRefused', ({ why }) => log(`did not sign a beacon: ${why}`))
  node.on('disconnected', ({ why }) => log(`disconnected: ${why}`))
  node.on('stopped', ({ why }) => log(why))
  show(node)
}

function use(wallet: Wallet): void {
  const node = createMiningNode({ wallet, client, gatewayUrl, verifyLeader })
  follow(node)
  element('address').textContent = wallet.address
  const isAsked = element('key').contains(document.activeElement)
  element('key').hidden = true
  element('account').hidden = false
  if (isAsked) toggle.focus()
  void node.watch().catch(showFault)
  onClick('toggle', () => {
    const call = toggle.textContent === 'Stop mining' ? node.stop() : node.start()
    return call.catch((error: unknown) => log(sentence(error)))
  })
  onClick('faucet', async () => {
    faucet.disabled = true
    const answer = await client.requestTestCoins({ address: wallet.address }).catch(sentence)
    const isComing = answer === true
    log(isComing ? 'test coins arrive with the next block' : `no test coins: ${answer || 'asked too often'}`)
    faucet.disabled = false
  })
  window.addEventListener('pagehide', () => void node.close())
}

function useMade(privateKey: string | null, isNew = true): void {
  if (privateKey === null) return
  use(walletFromPrivateKey(privateKey))
  if (!isNew) log('another tab has made this key')
  element('made').hidden = false
  onClick('show', () => (element('private').textContent = privateKey))
  onClick('copy', () =>
    navigator.clipboard.writeText(privateKey).then(() => log('private key copied'), showFault),
  )
  onClick('forget', () => {
    if (confirm('Forget the key? Without a copy its coins are lost.')) forgetKey(privateKey)
  })
  onClick('save', () => saveKey(privateKey))
}

function attempt(act: () => void): void {
  try {
    showFault('')
    act()
  } catch (error) {
    showFault(error)
  }
}

element('key').addEventListener('submit', (event) => {
  event.preventDefault()
  attempt(() => {
    use(walletFromPrivateKey(secret.value.trim()))
    secret.value = ''
  })
})
function make(): void {
  attempt(() => {
    const made = keyOfAllTabs(() => createWallet().exportPrivateKey(), make)
    if (made === null) showFault('Another tab may be making a key; this one waits for it.')
    else if (!element('key').hidden) useMade(made.privateKey, made.isNew)
  })
}
onClick('make', make)
onClick('balance', () => copyAmount().then((exact) => log(`copied ${exact}`), showFault))
attempt(() => useMade(keptKey()))
// Shown only now, because an earlier press would have no effect.
void isReady.then(() => (element('key').hidden = !element('account').hidden))
// A page restored from the browser's cache has a closed node: reload it.
window.addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
