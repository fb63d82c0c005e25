import { make } from './make.ts'
import { word, worded } from './words.ts'

const field = make('input', { type: 'search', autocomplete: 'off', spellcheck: false })
const none = make('p', { className: 'search-none', role: 'status' })

/** Folded parts that the search has opened: they are closed after it. */
const opened = new Set<HTMLDetailsElement>()

const wordsIn = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

export const isSearching = (): boolean => field.value.trim() !== ''

/**
 * Shows the settings below `place` whose name or description has all words of the search, and hides the others. Without
 * a search it shows all.
 */
export function filterSettings(place: HTMLElement): void {
  const wanted = wordsIn(field.value)
  const isWanted = (setting: HTMLElement): boolean => {
    const text = `${setting.dataset.path ?? ''} ${setting.textContent ?? ''}`.toLowerCase()
    return wanted.every((one) => text.includes(one))
  }
  let found = 0
  for (const setting of place.querySelectorAll<HTMLElement>('[data-path]')) {
    setting.hidden = !isWanted(setting)
    if (!setting.hidden) found++
  }
  for (const part of place.querySelectorAll('details')) {
    const settings = [...part.querySelectorAll<HTMLElement>('[data-path]')]
    part.hidden = isSearching() && settings.every(({ hidden }) => hidden)
    if (isSearching() && !part.hidden && !part.open) {
      part.open = true
      opened.add(part)
    }
    if (!isSearching() && opened.delete(part)) part.open = false
  }
  place.dataset.searching = String(isSearching())
  none.textContent = isSearching() && found === 0 ? word('search.none') : ''
}

/** Creates the field that finds a setting. Escape ends the search. */
export function searchField(onChanged: () => void): HTMLElement {
  field.addEventListener('input', onChanged)
  field.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || field.value === '') return
    field.value = ''
    onChanged()
  })
  return make('div', {}, make('label', {}, worded(make('span'), 'search.label'), field), none)
}

/** Ends the search, before a field is shown that it may have hidden. */
export function endSearch(): void {
  field.value = ''
}
