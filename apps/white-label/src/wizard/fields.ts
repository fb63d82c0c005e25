import type { Edit, Setting, View } from './ask.ts'
import { linesBelow } from './field-findings.ts'
import { fileInput } from './file-input.ts'
import { make } from './make.ts'
import { isUnanswered, whenSettled } from './pending-edits.ts'
import type { PlainField } from './plain-fields.ts'
import { inEnglish } from './verdicts.ts'
import { type WordKey, word } from './words.ts'

const refills = new WeakMap<Element, (value: string) => void>()

/** Lets a field take the values of other states in its own way. */
export const refillBy = (field: Element, refill: (value: string) => void): void => {
  refills.set(field, refill)
}

/** Colour of a picker whose setting is left out. */
const NO_COLOUR = '#808080'

/** Returns the choices of a select, the first of which leaves the setting out. */
export const optionsOf = (choices: readonly (readonly [value: string, text: string])[], value: string) =>
  [['', word('choice.default')] as const, ...choices].map(([choice, textContent]) =>
    make('option', { value: choice, textContent, selected: choice === value }),
  )

/** Returns a field in plain words with the lines below it. */
export function withLines(
  path: string,
  label: HTMLElement,
  field: HTMLElement,
  ...more: readonly HTMLElement[]
): HTMLElement {
  const id = `${path}-plain-fault`
  field.setAttribute('aria-describedby', id)
  const made = make('div', { className: 'plain' }, label, ...more, ...linesBelow(path, field, id))
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

/** Returns the first words of a documentation, which name the setting. */
const nameOf = (about: string): string => /^(?:[^.,:;(]|\.(?=\w))+/.exec(about)?.[0].trim() ?? about

/** Creates a field for any setting of the schema, with its documentation. */
export function settingField(setting: Setting, value: string, edit: Edit): HTMLElement {
  const { path, about, kind, choices } = setting
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
    make(
      'label',
      { htmlFor: path },
      make('span', { ...inEnglish, textContent: nameOf(about) }),
      make('code', { textContent: path, dir: 'ltr' }),
      field,
    ),
    help,
    ...(kind === 'picture' ? pictureFile(setting, edit) : []),
    ...linesBelow(path, field, `${path}-fault`),
  )
  made.dataset.path = path
  return made
}

/** Creates what takes the file of a picture, beside its path. */
function pictureFile(setting: Setting, edit: Edit): readonly HTMLElement[] {
  const label = word('file.choose', { setting: setting.path })
  const { input, refusal } = fileInput(setting, edit, { accept: '.svg,.png', ariaLabel: label })
  return [input, refusal]
}

/** Creates the field in plain words that takes the file of a picture. */
export function pictureField(setting: Setting, key: WordKey, edit: Edit): HTMLElement {
  const { input, refusal } = fileInput(setting, edit, { accept: '.svg,.png' })
  return withLines(setting.path, make('label', {}, word(key), input), input, refusal)
}

/** Writes the values of another state into the fields, which stay where they are and keep the focus. */
export function refillFields(place: HTMLElement, { values }: View): void {
  for (const field of place.querySelectorAll<HTMLInputElement>('[name]')) {
    const value = values[field.name]
    if (value === undefined || isUnanswered(field)) continue
    const refill = refills.get(field)
    if (refill !== undefined) {
      refill(value)
      continue
    }
    // A field that somebody types in keeps what was typed.
    if (field === document.activeElement || field.value === value) continue
    field.value = value
    const picker = field.previousElementSibling
    if (picker instanceof HTMLInputElement && picker.type === 'color') picker.value = value || NO_COLOUR
  }
}
