import type { PreviewScreenName } from '../../tools/preview-files.ts'
import { ask, type Failure, type Frame, type View } from './ask.ts'
import { make } from './make.ts'
import { ownPhone } from './own-phone.ts'
import { languageName, type WordKey, word, worded } from './words.ts'

/** The screens that the phones can show, in the order of the choice. */
const screens: Readonly<Record<PreviewScreenName, WordKey>> = {
  welcome: 'screen.welcome',
  mining: 'screen.mining',
  firstReward: 'screen.firstReward',
  rewards: 'screen.rewards',
  wallet: 'screen.wallet',
  empty: 'screen.empty',
  offline: 'screen.offline',
}

let frames: readonly HTMLIFrameElement[] = []

// Wider than a small window: it scrolls, with the keyboard too.
const phones = make('div', { className: 'phones', tabIndex: 0 })

/** The section about the partner's own phone. */
const own = make('div')

const showOwnPhone = ({ onPhones }: View): void => own.replaceChildren(ownPhone(onPhones))

const titleOf = ({ language, mode }: Frame): string => `${languageName(language)} · ${word(`mode.${mode}`)}`

function phone(frame: Frame): HTMLElement {
  const title = titleOf(frame)
  const glass = make('iframe', { title, src: frame.url })
  glass.dataset.url = frame.url
  frames = [...frames, glass]
  return make(
    'figure',
    {},
    make('figcaption', { textContent: title }),
    make('div', { className: 'glass' }, glass),
  )
}

/** Shows the phones of a brand, which begin anew. */
export function showPhones(view: View): void {
  frames = []
  phones.replaceChildren(...view.frames.map(phone))
  showOwnPhone(view)
}

/** Loads the app in all phones again: the addresses stay the same, only the served content has changed. */
export function reloadPhones(): void {
  for (const glass of frames) glass.src = glass.dataset.url ?? ''
}

/** Writes the captions in the language of the page. The phones go on. */
export function captionPhones(view: View): void {
  showOwnPhone(view)
  view.frames.forEach((frame, index) => {
    const figure = phones.children[index]
    figure?.querySelector('figcaption')?.replaceChildren(titleOf(frame))
    figure?.querySelector('iframe')?.setAttribute('title', titleOf(frame))
  })
}

/** Marks the screen that the phones show. */
export function markScreen({ screen }: View): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name="screen"]'))
    input.checked = input.value === screen
}

/** Creates the phones with the choice of their screen. `onFailed` is called when the command does not show it. */
export function preview(shown: () => number, onFailed: (failure: Failure) => void): HTMLElement {
  const choices = Object.entries(screens).map(([name, key]) => {
    const input = make('input', { type: 'radio', name: 'screen', value: name })
    input.addEventListener('change', async () => {
      const view = await ask('/screen', { brand: shown(), screen: name })
      if ('error' in view) return onFailed(view)
      view.frames.forEach(({ url }, index) => {
        const glass = frames[index]
        if (glass !== undefined) glass.dataset.url = url
      })
      showOwnPhone(view)
      reloadPhones()
    })
    return make('label', {}, input, worded(make('span'), key))
  })
  const legend = worded(make('legend'), 'screen.label')
  return make(
    'div',
    { className: 'preview' },
    make('fieldset', { className: 'views' }, legend, ...choices),
    phones,
    own,
  )
}
