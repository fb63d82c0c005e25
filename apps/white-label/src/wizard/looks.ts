import type { Look } from './ask.ts'
import { make } from './make.ts'
import { inEnglish } from './verdicts.ts'
import { word } from './words.ts'

/** Draws a small screen on the look's ground: a heading, the sign of Mine, a line of text, a button. */
function pictureOf(look: Look): HTMLElement {
  const heading = make('span', { className: 'look-heading', textContent: 'Aa' })
  heading.dataset.font = look.headings
  const sign = make('span', { className: 'look-sign' })
  sign.dataset.hero = look.hero
  const line = make('span', { className: 'look-line', textContent: 'abc' })
  line.dataset.font = look.font
  const button = make('span', { className: 'look-button' })
  button.style.borderRadius = `${look.buttonRadius / 2}px`
  const screen = make('span', { className: 'look-screen', ariaHidden: 'true' }, heading, sign, line, button)
  const colours = ['background', 'backgroundEnd', 'text', 'primary', 'accent'] as const
  for (const name of colours) screen.style.setProperty(`--${name}`, look[name])
  screen.style.borderRadius = `${look.radius / 2}px`
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
