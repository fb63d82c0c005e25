import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { isConsentDue } from './app/consent.ts'
import { explainMining } from './app/explain-mining.ts'
import { engineConfigOf } from './brand/engine-config-of.ts'
import { assertEncrypted, brandTexts, loadBrand } from './brand/load-brand.ts'
import { vaultNameOf } from './engine/engine-config.ts'
import type { EngineState } from './engine/engine-state.ts'
import type { Conditions } from './engine/mining-policy.ts'
import engineAddress from './engine/worker.ts?worker&url'
import { connectEngine, type EngineConnection } from './host/engine-connection.ts'
import type { FromService, MinerHost, ServiceConditions, ToService } from './host/miner-messages.ts'
import { openPreferences, type PreferenceStore } from './host/preferences.ts'
import { rememberedAccounts } from './host/remembered-accounts.ts'
import { scriptAddress } from './host/trusted-addresses.ts'
import { firstLanguage } from './i18n/languages.ts'
import { loadTexts, type TextSource, type Texts } from './i18n/texts.ts'
import { amountText } from './text/amount-text.ts'
import { agoText } from './text/time-text.ts'

/** Time between two signs of life, in ms. */
const BEAT_MS = 2_000
/** Time between two changes of the notification that only count on, in ms. */
const LINE_MS = 30_000

/** The text of the notification. While mining runs `reason` is empty, and the text counts what was earned. */
type Line = { readonly title: string; readonly reason: string; readonly text: string }

/** All state on which the page bases its decisions. */
type Run = {
  /** Null before the service has sent the first conditions. */
  readonly device: ServiceConditions | null
  /** `mining` begins with the start, or with what continues after a start by the system. */
  readonly phase: 'waiting' | 'opening' | 'mining' | 'over'
  readonly isStopped: boolean
  readonly wasWanted: boolean
  /** Null while the decimals of the token are not known. */
  readonly decimals: number | null
  /** The line that is shown, and since when. */
  readonly shown: Line & { readonly atMs: number }
}

/** The page: its state, and what is opened for it. */
type MinerPage = {
  readonly brand: RuntimeBrand
  readonly texts: Pick<Texts, 'text' | 'language'>
  readonly preferences: PreferenceStore
  readonly engine: EngineConnection
  readonly tell: (message: ToService) => void
  run: Run
}

const isPageHidden = (): boolean => document.visibilityState === 'hidden'

/** True if mining needs the processor now: it is being started, or it was started and nothing pauses it. */
function needsProcessor({ engine, run: { phase } }: MinerPage): boolean {
  const state = engine.state()
  if (phase !== 'mining' || state === null) return true
  const { run, snapshot, account } = state
  if (account.status !== 'open' || snapshot === null) return account.status === 'open'
  return run.isWanted && run.pause === null && snapshot.state.status !== 'stopped'
}

/** Returns the conditions for the engine; null before the device has sent its own. */
function conditionsOf({ brand, preferences, run: { device } }: MinerPage): Conditions | null {
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

/** Returns the sentence for mining that ended by itself; null after a stop. */
function faultOf(ended: EngineState, { text }: MinerPage['texts']): string | null {
  const { tone, headline, reason } = explainMining(ended)
  if (tone !== 'danger') return null
  return reason === null ? text(headline) : `${text(headline)}. ${text(reason)}`
}

/** Returns why mining has ended for good; undefined while it goes on or may. */
function endOf(
  { run: { wasWanted }, texts }: MinerPage,
  now: EngineState,
): { readonly notice: string | null } | undefined {
  if (now.account.status === 'none') return { notice: null }
  if (now.tabLock === 'locked') return { notice: texts.text('screenOff.locked') }
  return wasWanted && !now.run.isWanted ? { notice: faultOf(now, texts) } : undefined
}

/** Returns the confirmed reward of today and the age of the last signature, as far as they are known. */
function earned(
  { brand: { token }, run: { decimals }, texts }: MinerPage,
  { rewards, run }: EngineState,
): string {
  const { text, language } = texts
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

function lineOf(page: MinerPage, now: EngineState): Line {
  const { text } = page.texts
  const { headline, reason: why, tone } = explainMining(now)
  const isQuiet = why === null || tone === 'good'
  const reason = isPageHidden() ? text('screenOff.hidden') : isQuiet ? '' : text(why)
  return { title: text(headline), reason, text: reason === '' ? earned(page, now) : reason }
}

/** True if the notification is to change: with a new title or reason at once, with other figures after a while. */
const isNews = ({ shown }: Run, { title, reason, text }: Line, atMs: number): boolean =>
  title !== shown.title || reason !== shown.reason || (text !== shown.text && atMs - shown.atMs >= LINE_MS)

function set(page: MinerPage, change: Partial<Run>): void {
  page.run = { ...page.run, ...change }
}

function beat(page: MinerPage): void {
  if (page.run.phase === 'over') return
  page.tell({ type: 'beat', needsProcessor: needsProcessor(page), isHidden: isPageHidden() })
}

function end(page: MinerPage, notice: string | null): void {
  if (page.run.phase === 'over') return
  set(page, { phase: 'over' })
  page.tell({ type: 'done', notice })
}

function sendConditions(page: MinerPage): void {
  const conditions = conditionsOf(page)
  if (page.run.phase !== 'waiting' && conditions !== null)
    page.engine.send({ type: 'conditions', conditions })
}

/** Follows the state of the engine, once it was opened and mining was started. */
function follow(page: MinerPage): void {
  const { engine, texts } = page
  const now = engine.state()
  if (engine.fault() !== null) end(page, texts.text('screenOff.reopen'))
  if (now === null || page.run.phase !== 'mining') return
  const ended = endOf(page, now)
  if (ended !== undefined) {
    end(page, ended.notice)
    return
  }
  set(page, { wasWanted: page.run.wasWanted || now.run.isWanted })
  const line = lineOf(page, now)
  const atMs = Date.now()
  if (!isNews(page.run, line, atMs)) return
  set(page, { shown: { ...line, atMs } })
  page.tell({ type: 'line', title: line.title, text: line.text })
}

/** Resolves with the first state of whichever tab leads, or with a fault of the engine. */
const untilKnown = (engine: EngineConnection): Promise<void> =>
  new Promise((resolve) => {
    const stop = engine.subscribe(check)
    function check(): void {
      if (engine.state() === null && engine.fault() === null) return
      stop()
      resolve()
    }
    check()
  })

async function readDecimals({ engine, brand }: MinerPage): Promise<number | null> {
  const token = await engine.call('getToken', { tokenId: brand.token.hash }).catch(() => null)
  return (token as { readonly decimals?: number } | null)?.decimals ?? null
}

async function begin(
  page: MinerPage,
  { passphrase, isAgain }: Extract<FromService, { type: 'begin' }>,
): Promise<void> {
  const { engine, brand, texts, run } = page
  const conditions = conditionsOf(page)
  if (run.phase !== 'waiting' || run.isStopped || conditions === null) return
  set(page, { phase: 'opening' })
  engine.subscribe(() => follow(page))
  setInterval(() => follow(page), LINE_MS)
  const config = engineConfigOf(brand)
  engine.send({ type: 'open', config, conditions, remembered: rememberedAccounts(vaultNameOf(config)) })
  try {
    if (passphrase !== undefined) await engine.call('unlock', { parameters: [passphrase] })
  } catch {
    return end(page, texts.text('screenOff.locked'))
  }
  await untilKnown(engine)
  // The first beat says that the engine runs: the service closes a page that does not get there.
  beat(page)
  setInterval(() => beat(page), BEAT_MS)
  if (page.run.isStopped) return
  if (!isAgain) await engine.call('start')
  // After a start by the system only what was wanted goes on.
  if (page.run.phase === 'opening') set(page, { phase: 'mining', wasWanted: isAgain })
  follow(page)
  if (page.run.decimals === null) set(page, { decimals: await readDecimals(page) })
}

function receive(page: MinerPage, message: FromService): void {
  if (message.type === 'conditions') {
    set(page, { device: message })
    sendConditions(page)
  }
  if (message.type === 'begin')
    begin(page, message).catch(() => end(page, page.texts.text('screenOff.reopen')))
  if (message.type === 'stop') {
    set(page, { isStopped: true })
    // The service closes a page that does not confirm a stop, and the app then carries it out.
    if (page.run.phase === 'waiting') return
    page.engine.call('stop').then(
      () => end(page, null),
      () => undefined,
    )
  }
}

/** The page of the service: it mines as one more tab of the app, without anything to see. */
async function mine(host: MinerHost): Promise<void> {
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
  const page: MinerPage = {
    ...{ brand, preferences, texts: { text, language } },
    engine: connectEngine(new Worker(scriptAddress(engineAddress), { type: 'module' })),
    tell: (message) => host.postMessage(JSON.stringify(message)),
    run: {
      ...{ device: null, phase: 'waiting', isStopped: false, wasWanted: false },
      decimals: brand.token.decimals,
      shown: { title: '', reason: '', text: '', atMs: 0 },
    },
  }
  preferences.subscribe(() => sendConditions(page))
  host.onmessage = ({ data }) => receive(page, JSON.parse(data))
  page.tell({ type: 'ready' })
}

const host = (globalThis as { readonly minerHost?: MinerHost }).minerHost
if (host !== undefined)
  mine(host).catch(() => host.postMessage(JSON.stringify({ type: 'done', notice: null } satisfies ToService)))
