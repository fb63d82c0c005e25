// A key made here is stored in this browser, for all its tabs, as plain text: for coins without value only.
const KEPT = 'hailstone-sample-key'

/** The key that all tabs use. */
export const keptKey = (): string | null => localStorage.getItem(KEPT)

// Only the tab whose turn it is makes a key, so that no tab replaces the key of another, whose coins would be lost. It
// passes the turn on when another one asks. Browsers have locks on pages of https and of this machine alone.
const locks = navigator.locks as LockManager | undefined
const waiting: (() => void)[] = []
const others = new BroadcastChannel(KEPT)
let passOn: () => void = () => undefined
let isOurTurn = locks === undefined

function resume(): void {
  for (const act of waiting.splice(0)) act()
}

const hold = (): Promise<void> =>
  new Promise((resolve) => {
    isOurTurn = true
    passOn = resolve
    resume()
  })

others.addEventListener('message', () => {
  if (!isOurTurn || locks === undefined) return
  isOurTurn = false
  passOn()
  void locks.request(KEPT, hold)
})
addEventListener('storage', resume)

/** Resolves when it is known whose turn it is. */
export const isReady = new Promise<void>((resolve) => {
  if (locks === undefined) return resolve()
  void locks.request(KEPT, { ifAvailable: true }, async (lock) => {
    resolve()
    if (lock === null) void locks.request(KEPT, hold)
    else await hold()
  })
})

/**
 * Returns the key of all tabs; the first tab makes it. Null while another tab makes it; calls back when it may
 * have changed.
 */
export function keyOfAllTabs(
  make: () => string,
  again: () => void,
): { readonly privateKey: string; readonly isNew: boolean } | null {
  const kept = keptKey()
  if (kept !== null) return { privateKey: kept, isNew: false }
  if (!isOurTurn) {
    waiting.push(again)
    others.postMessage('')
    return null
  }
  const privateKey = make()
  localStorage.setItem(KEPT, privateKey)
  return { privateKey, isNew: true }
}

/** Forgets a key, and no other one, and begins the page anew. */
export function forgetKey(privateKey: string): void {
  if (keptKey() === privateKey) localStorage.removeItem(KEPT)
  location.reload()
}

/** Downloads a key as a file. */
export function saveKey(privateKey: string): void {
  const file = { href: `data:text/plain,${privateKey}`, download: 'hailstone-test-key.txt' }
  Object.assign(document.createElement('a'), file).click()
}
