import { isConsentDue } from './app/consent.ts'
import { explainMining } from './app/explain-mining.ts'
import { engineConfigOf } from './brand/engine-config-of.ts'
import { assertEncrypted, brandTexts, loadBrand } from './brand/load-brand.ts'
import { vaultNameOf } from './engine/engine-config.ts'
import type { EngineState } from './engine/engine-state.ts'
import type { Conditions } from './engine/mining-policy.ts'
import engineAddress from './engine/worker.ts?worker&url'
import { connectEngine } from './host/engine-connection.ts'
import type { FromService, MinerHost, ServiceConditions, ToService } from './host/miner-messages.ts'
import { openPreferences } from './host/preferences.ts'
import { rememberedAccounts } from './host/remembered-accounts.ts'
import { scriptAddress } from './host/trusted-addresses.ts'
import { firstLanguage } from './i18n/languages.ts'
import { loadTexts, type TextSource } from './i18n/texts.ts'
import { amountText } from './text/amount-text.ts'
import { agoText } from './text/time-text.ts'

/** Time between two signs of life, in ms. */
const BEAT_MS = 2_000
/** Time between two changes of the notification that only count on, in ms. */
const LINE_MS = 30_000

/** The page of the service: it mines as one more tab of the app, without anything to see. */
async function mine(host: MinerHost): Promise<void> {
  const tell = (message: ToService): void => host.postMessage(JSON.stringify(message))
  let state: EngineState | null = null
  let isOver = false
  let isStopped = false
  let hasBegun = false
  const beat = (): void => {
    const isHidden = document.visibilityState === 'hidden'
    if (!isOver)
      tell({ type: 'beat', needsProcessor: !hasBegun || state === null || isWorking(state), isHidden })
  }
  let beats: ReturnType<typeof setInterval> | undefined

  function end(notice: string | null): void {
    if (isOver) return
    isOver = true
    clearInterval(beats)
    tell({ type: 'done', notice })
  }

  const brand = await loadBrand()
  assertEncrypted(brand, location)
  const preferences = openPreferences(brand.id)
  const { enabled, default: fallback } = brand.i18n
  const chosen = preferences.snapshot().language
  const language = firstLanguage({ chosen, wanted: navigator.languages, enabled, fallback })
  const source: TextSource = {
    overrides: (tag) => brandTexts(brand, tag),
    values: { app: brand.app.name },
  }
  const { text } = await loadTexts(language, source).catch(() => loadTexts('en', source))
  const engine = connectEngine(new Worker(scriptAddress(engineAddress), { type: 'module' }))
  let { decimals } = brand.token

  let device: ServiceConditions | null = null
  let isOpen = false
  function conditions(): Conditions | null {
    if (device === null) return null
    const { isOnline, isMetered, isCharging = null, battery = null, isHot, isHeld } = device
    return {
      hasConsent: !isConsentDue(brand, preferences.snapshot().consent),
      isOnline,
      isMetered,
      isCharging,
      battery,
      isHot: isHot && brand.mining.thermalPause,
      isHeld,
    }
  }
  function tellConditions(): void {
    const now = conditions()
    if (isOpen && now !== null) engine.send({ type: 'conditions', conditions: now })
  }
  preferences.subscribe(tellConditions)

  let wasWanted = false
  /** Returns why mining has ended for good; undefined while it goes on or may. */
  function endOf(now: EngineState): { readonly notice: string | null } | undefined {
    const { account, run, tabLock } = now
    if (account.status === 'none') return { notice: null }
    if (tabLock === 'locked') return { notice: text('screenOff.locked') }
    wasWanted ||= run.isWanted
    return wasWanted && !run.isWanted ? { notice: faultOf(now) } : undefined
  }

  /** Follows what the engine says, once it was opened and told to mine. */
  function follow(): void {
    const now = engine.state()
    if (engine.fault() !== null) end(text('screenOff.reopen'))
    if (now === null || isOver) return
    state = now
    if (!hasBegun) return
    const ended = endOf(now)
    if (ended === undefined) showLine(now)
    else end(ended.notice)
  }

  /** Returns the sentence for mining that ended by itself; null after a stop. */
  function faultOf(ended: EngineState): string | null {
    const { tone, headline, reason } = explainMining(ended)
    if (tone !== 'danger') return null
    return reason === null ? text(headline) : `${text(headline)}. ${text(reason)}`
  }

  let shown = { title: '', reason: '', text: '', atMs: 0 }
  function showLine(now: EngineState): void {
    const explained = explainMining(now)
    const title = text(explained.headline)
    const isHidden = document.visibilityState === 'hidden'
    const reason = isHidden
      ? text('screenOff.hidden')
      : explained.reason === null || explained.tone === 'good'
        ? ''
        : text(explained.reason)
    const line = reason === '' ? earned(now) : reason
    const atMs = Date.now()
    const isNew = title !== shown.title || reason !== shown.reason
    if (!isNew && (line === shown.text || atMs - shown.atMs < LINE_MS)) return
    shown = { title, reason, text: line, atMs }
    tell({ type: 'line', title, text: line })
  }

  /** Returns the confirmed reward of today and the age of the last signature, as far as they are known. */
  function earned({ rewards, run }: EngineState): string {
    const { token } = brand
    const today = rewards?.totals.today ?? null
    const parts: string[] = []
    if (today !== null && decimals !== null) {
      const amount = `${amountText(today, { language, decimals })} ${token.display.symbol ?? token.ticker ?? ''}`
      parts.push(text('screenOff.today', { amount: amount.trim() }))
    }
    if (run.lastSignedAtMs !== null)
      parts.push(text('screenOff.lastSigned', { ago: agoText(run.lastSignedAtMs, Date.now(), language) }))
    return parts.join(' · ')
  }

  async function begin(passphrase: string | undefined, isAgain: boolean): Promise<void> {
    const first = conditions()
    if (isOpen || isStopped || first === null) return
    isOpen = true
    engine.subscribe(follow)
    setInterval(follow, LINE_MS)
    const config = engineConfigOf(brand)
    const remembered = rememberedAccounts(vaultNameOf(config))
    engine.send({ type: 'open', config, conditions: first, remembered })
    try {
      if (passphrase !== undefined) await engine.call('unlock', { parameters: [passphrase] })
    } catch {
      end(text('screenOff.locked'))
      return
    }
    await untilKnown()
    // The first beat says that the engine runs: the service closes a page that does not get there.
    state = engine.state()
    beat()
    beats = setInterval(beat, BEAT_MS)
    if (isStopped) return
    if (!isAgain) await engine.call('start')
    // After a start by the system only what was wanted goes on.
    wasWanted = isAgain
    hasBegun = true
    follow()
    decimals ??= await readDecimals()
  }

  /** Resolves with the first state of whichever tab leads. */
  const untilKnown = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = engine.subscribe(check)
      function check(): void {
        if (engine.state() === null && engine.fault() === null) return
        stop()
        resolve()
      }
      check()
    })

  async function readDecimals(): Promise<number | null> {
    const token = await engine.call('getToken', { tokenId: brand.token.hash }).catch(() => null)
    return (token as { readonly decimals?: number } | null)?.decimals ?? null
  }

  host.onmessage = ({ data }) => {
    const message = JSON.parse(data) as FromService
    if (message.type === 'conditions') {
      device = message
      tellConditions()
    }
    if (message.type === 'begin')
      begin(message.passphrase, message.isAgain).catch(() => end(text('screenOff.reopen')))
    if (message.type === 'stop') {
      isStopped = true
      // The service closes a page that does not confirm a stop, and the app then carries it out.
      if (!isOpen) return
      engine.call('stop').then(
        () => end(null),
        () => undefined,
      )
    }
  }
  tell({ type: 'ready' })
}

/** True if mining needs the processor now: it was started and nothing pauses it. */
function isWorking({ run, snapshot, account }: EngineState): boolean {
  if (account.status !== 'open' || snapshot === null) return account.status === 'open'
  return run.isWanted && run.pause === null && snapshot.state.status !== 'stopped'
}

const host = (globalThis as { readonly minerHost?: MinerHost }).minerHost
if (host !== undefined)
  mine(host).catch(() => host.postMessage(JSON.stringify({ type: 'done', notice: null } satisfies ToService)))
