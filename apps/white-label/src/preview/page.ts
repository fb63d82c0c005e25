/// <reference lib="dom" />
import type { Preferences } from '../host/preferences.ts'
import type { Previewed } from './previewed.ts'

// Runs in a phone of the partner's preview before the app does. No build of a brand has it.

const mark = document.querySelector<HTMLMetaElement>('meta[name="hailstone-preview"]')
const { screen, address, brandId, legal } = JSON.parse(mark?.content ?? '{}') as Previewed
const atMs = Date.now()
const accepted = { version: legal.version, language: document.documentElement.lang, atMs }

/** The choices of somebody who has gone through the first run and, where one is to come, has no reward yet. */
const chosen: Partial<Preferences> = {
  consent: {
    terms: [accepted],
    age: legal.minimumAge === null ? undefined : { years: legal.minimumAge, atMs },
  },
  awaitsReward: screen === 'firstReward' ? address : null,
  celebrates: null,
}

/** Of this phone alone: in the storage that the four share, the last to open would take the reward card from the others. */
const kept = new Map([[`hailstone-${brandId}-preferences`, JSON.stringify(chosen)]])
const storage: Storage = {
  get length() {
    return kept.size
  },
  key: (at) => [...kept.keys()][at] ?? null,
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => void kept.set(name, value),
  removeItem: (name) => void kept.delete(name),
  clear: () => kept.clear(),
}
Object.defineProperty(window, 'localStorage', { get: () => storage })

if (screen === 'offline') Object.defineProperty(navigator, 'onLine', { get: () => false })
