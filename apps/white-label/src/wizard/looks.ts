import type { Look } from './ask.ts'
import { make } from './make.ts'
import { inEnglish } from './verdicts.ts'
import { word } from './words.ts'

const radii: Readonly<Record<string, string>> = { none: '0', sm: '3px', md: '6px', lg: '10px', full: '16px' }
const shapes: Readonly<Record<string, string>> = { square: '0', soft: '4px', pill: '999px' }

/** Draws a small screen: the sign of Mine, a line of text, a button. */
function pictureOf({ primary, accent, mode, radius, shape, hero }: Look): HTMLElement {
  const sign = make('span', { className: 'look-sign' })
  sign.dataset.hero = hero
  const line = make('span', { className: 'look-line' })
  const button = make('span', { className: 'look-button' })
  button.style.borderRadius = shapes[shape] ?? '4px'
  const screen = make('span', { className: 'look-screen' }, sign, line, button)
  screen.dataset.mode = mode ?? 'light'
  screen.ariaHidden = 'true'
  screen.style.setProperty('--primary', primary)
  screen.style.setProperty('--accent', accent)
  screen.style.borderRadius = radii[radius] ?? '6px'
  return screen
}

/** Creates the gallery: one choice for each look, with its picture and its name. */
export function gallery(
  looks: Readonly<Record<string, Look>>,
  current: string | null,
  onChosen: (name: string, field: Element) => void,
): HTMLElement {
  const choices = Object.entries(looks).map(([name, look]) => {
    const input = make('input', { type: 'radio', name: 'look', value: name, checked: name === current })
    input.addEventListener('change', () => onChosen(name, input))
    return make('label', {}, input, pictureOf(look), make('span', { ...inEnglish, textContent: name }))
  })
  const facts = { className: 'looks', role: 'radiogroup', ariaLabel: word('title.looks') }
  return make('div', facts, ...choices)
}

/** Marks the look whose settings the brand has. */
export function markLook(current: string | null): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name="look"]'))
    input.checked = input.value === current
}
