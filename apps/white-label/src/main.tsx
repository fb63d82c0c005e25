import './style/layers.css'
import './style/base.css'
import './style/parts.css'
import './style/hero.css'
import './style/views.css'
import './style/forced.css'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { announce } from './app/announcer.tsx'
import { Root } from './app/app.tsx'
import { type App, AppContext } from './app/app-context.ts'
import { isConsentDue } from './app/consent.ts'
import { engineConfigOf } from './brand/engine-config-of.ts'
import { assertEncrypted, brandTexts, loadBrand } from './brand/load-brand.ts'
import engineAddress from './engine/worker.ts?worker&url'
import { followDevice } from './host/device.ts'
import { connectEngine } from './host/engine-connection.ts'
import { followLinks } from './host/hash-route.ts'
import { ignoreRepeatedPresses } from './host/ignore-repeated-presses.ts'
import './host/install-offer.ts'
import { chosenMode, followDeviceMode } from './app/use-mode.ts'
import { isPackage } from './host/is-package.ts'
import { letServiceMine } from './host/miner-service.ts'
import { createMiningHost } from './host/mining-host.ts'
import { openPreferences } from './host/preferences.ts'
import { isFramed, refuseFrame } from './host/refuse-frame.ts'
import { scriptAddress } from './host/trusted-addresses.ts'
import { watchUpdates } from './host/update-watch.ts'
import { createKeepAwake } from './host/wake-lock.ts'
import { firstLanguage, showLanguage } from './i18n/languages.ts'
import { loadTexts, type Texts } from './i18n/texts.ts'

type Parts = Omit<App, 'texts' | 'setLanguage'>

function Shell({ parts, first }: { readonly parts: Parts; readonly first: Texts }): ReactNode {
  const { brand, preferences } = parts
  const [texts, setTexts] = useState(first)
  const wanted = useRef(first.language)
  async function setLanguage(language: Texts['language']): Promise<void> {
    wanted.current = language
    const loaded = await textsOf(parts, language).catch(() => null)
    if (loaded === null) return announce(texts.text('common.offline'))
    // While arrow keys move through the list, only the last choice counts, whichever loads first.
    if (wanted.current !== language) return
    setTexts(loaded)
    preferences.set({ language })
  }
  useLayoutEffect(() => showLanguage(texts.language), [texts])
  useEffect(() => {
    const follow = (): void => {
      const mode = chosenMode(preferences.snapshot().mode)
      if (mode === undefined) delete document.documentElement.dataset.mode
      else document.documentElement.dataset.mode = mode
    }
    follow()
    const leave = [preferences.subscribe(follow), followDeviceMode(follow)]
    return () => {
      for (const one of leave) one()
    }
  }, [preferences])
  return <AppContext.Provider value={{ ...parts, brand, texts, setLanguage }}>{<Root />}</AppContext.Provider>
}

const textsOf = ({ brand }: Pick<Parts, 'brand'>, language: Texts['language']): Promise<Texts> =>
  loadTexts(language, { overrides: (tag) => brandTexts(brand, tag), values: { app: brand.app.name } })

/** Returns the texts of a language, or the English ones if it has none that can be read. */
const readableTexts = (parts: Pick<Parts, 'brand'>, language: Texts['language']): Promise<Texts> =>
  textsOf(parts, language).catch(() => textsOf(parts, 'en'))

async function begin(): Promise<void> {
  const place = document.getElementById('app')
  if (place === null) return
  followLinks(window)
  const brand = await loadBrand()
  assertEncrypted(brand, location)
  const preferences = openPreferences(brand.id)
  const { enabled, default: fallback } = brand.i18n
  const { language: chosen } = preferences.snapshot()
  const language = firstLanguage({ chosen, wanted: navigator.languages, enabled, fallback })
  if (isFramed()) {
    showLanguage(language)
    return refuseFrame(place, await readableTexts({ brand }, language))
  }
  const worker = new Worker(scriptAddress(engineAddress), { type: 'module' })
  const engine = APP_HAS_SERVICE ? letServiceMine(connectEngine(worker)) : connectEngine(worker)
  followDevice(engine, {
    config: engineConfigOf(brand),
    hasConsent: () => !isConsentDue(brand, preferences.snapshot().consent),
    subscribe: preferences.subscribe,
  })
  ignoreRepeatedPresses()
  // A package without the plugin for links is still the app.
  if (isPackage())
    import('./host/package-bridge.ts')
      .then(({ followPackage }) => followPackage(brand))
      .catch(() => undefined)
  const parts: Parts = {
    brand,
    host: createMiningHost(engine),
    preferences,
    keepAwake: createKeepAwake(),
    updates: watchUpdates(),
    announce,
  }
  const first = await readableTexts(parts, language)
  createRoot(place).render(<Shell parts={parts} first={first} />)
}

begin().catch((error: unknown) => {
  const place = document.getElementById('app')
  if (place === null) return
  // Without a brand there are no translations.
  const sentence = document.createElement('p')
  sentence.setAttribute('role', 'alert')
  sentence.textContent = `This app could not start. ${error instanceof Error ? error.message : ''}`
  const again = document.createElement('button')
  again.className = 'button'
  again.textContent = 'Load again'
  again.onclick = () => location.reload()
  place.replaceChildren(sentence, again)
})
