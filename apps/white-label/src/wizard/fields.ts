import type { Setting, View } from './ask.ts'
import { linesBelow } from './field-findings.ts'
import { make } from './make.ts'
import { isUnanswered, whenSettled } from './pending-edits.ts'
import type { PlainField } from './plain-fields.ts'
import { inEnglish } from './verdicts.ts'
import { word } from './words.ts'

/** Sends an edit of the brand that the field belongs to, whichever is shown by then, and shows the answer. */
export type Edit = (path: '/change' | '/draw', body: object, field: Element) => Promise<void>

/** Colour of a picker whose setting is left out. */
const NO_COLOUR = '#808080'

/** Returns the choices of a select, the first of which leaves the setting out. */
const optionsOf = (choices: readonly (readonly [value: string, text: string])[], value: string) =>
  [['', word('choice.default')] as const, ...choices].map(([choice, textContent]) =>
    make('option', { value: choice, textContent, selected: choice === value }),
  )

/** Returns a field in plain words with the lines below it. */
function withLines(path: string, label: HTMLElement, field: HTMLElement): HTMLElement {
  const id = `${path}-plain-fault`
  field.setAttribute('aria-describedby', id)
  const made = make('div', { className: 'plain' }, label, ...linesBelow(path, field, id))
  made.dataset.path = path
  return made
}

/** Creates the field of a setting in plain words. */
export function plainField(
  { path, label: key, isColour, choices }: PlainField,
  value: string,
  edit: Edit,
): HTMLElement {
  const label = word(key)
  const send = whenSettled((input) => edit('/change', { path, value: input.value }, input))
  if (choices !== undefined) {
    const worded = choices.map(([choice, text]) => [choice, word(text)] as const)
    const select = make('select', { name: path, onchange: send }, ...optionsOf(worded, value))
    return withLines(path, make('label', {}, label, select), select)
  }
  const input = make('input', {
    name: path,
    value,
    ariaLabel: label,
    oninput: send,
    autocomplete: 'off',
    spellcheck: false,
    dir: path.startsWith('app.') ? 'auto' : 'ltr',
  })
  if (isColour !== true) return withLines(path, make('label', {}, label, input), input)
  const picker = make('input', {
    type: 'color',
    value: value || NO_COLOUR,
    ariaLabel: word('picker', { label }),
  })
  picker.addEventListener('input', () => {
    input.value = picker.value
    input.dispatchEvent(new Event('input'))
  })
  input.addEventListener('input', () => {
    if (/^#[0-9a-f]{6}$/i.test(input.value)) picker.value = input.value
  })
  const both = make('span', { className: 'colour' }, picker, input)
  return withLines(path, make('label', {}, label, both), input)
}

/** Creates a field for any setting of the schema, with its documentation. */
export function settingField(
  { path, about, kind, choices }: Setting,
  value: string,
  edit: Edit,
): HTMLElement {
  const send = whenSettled((input) => edit('/change', { path, value: input.value }, input))
  const facts = { name: path, id: path, autocomplete: 'off', spellcheck: false, dir: 'auto' } as const
  const options = kind === 'flag' ? ['true', 'false'] : choices
  const field =
    options.length > 0
      ? make(
          'select',
          { name: path, id: path, onchange: send },
          ...optionsOf(
            options.map((choice) => [choice, choice]),
            value,
          ),
        )
      : kind === 'list' || kind === 'data'
        ? make('textarea', {
            ...facts,
            value,
            rows: Math.min(6, value.split('\n').length + 1),
            oninput: send,
          })
        : make('input', { ...facts, value, oninput: send })
  const more =
    kind === 'list' || kind === 'data' ? [make('small', { textContent: word(`kind.${kind}`) })] : []
  const documentation = make('small', { ...inEnglish, textContent: about })
  const help = make('div', { id: `${path}-about` }, documentation, ...more)
  field.setAttribute('aria-describedby', `${help.id} ${path}-fault`)
  const made = make(
    'div',
    { className: 'setting' },
    make('label', { htmlFor: path }, make('code', { textContent: path }), field),
    help,
    ...linesBelow(path, field, `${path}-fault`),
  )
  made.dataset.path = path
  return made
}

/** Creates the field that takes the file of a picture. */
export function drawingField(kind: 'logo' | 'icon', edit: Edit): HTMLElement {
  const input = make('input', { type: 'file', accept: '.svg,.png', name: kind })
  // The same file can be chosen again, after it was taken back or drawn anew.
  input.addEventListener('click', () => {
    input.value = ''
  })
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file === undefined) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    await edit('/draw', { kind, name: file.name, base64 }, input)
  })
  return withLines(`assets.${kind}`, make('label', {}, word(`field.${kind}`), input), input)
}

/** Writes the values of another state into the fields, which stay where they are and keep the focus. */
export function refillFields(place: HTMLElement, { values }: View): void {
  for (const field of place.querySelectorAll<HTMLInputElement>('[name]')) {
    const value = values[field.name]
    if (value === undefined || isUnanswered(field)) continue
    field.value = value
    const picker = field.previousElementSibling
    if (picker instanceof HTMLInputElement && picker.type === 'color') picker.value = value || NO_COLOUR
  }
}
