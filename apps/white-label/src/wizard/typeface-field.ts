import type { Edit, Setting } from './ask.ts'
import { optionsOf, refillBy, withLines } from './fields.ts'
import { fileInput } from './file-input.ts'
import { make } from './make.ts'
import { isUnanswered, whenSettled } from './pending-edits.ts'
import { type WordKey, word } from './words.ts'

/** Names of the typefaces that devices bring. */
const names: Readonly<Record<string, WordKey>> = {
  system: 'font.system',
  rounded: 'font.rounded',
  serif: 'font.serif',
  mono: 'font.mono',
}

/** Choice of files of one's own before there are any. */
const OWN = 'own'

type Family = { readonly family?: unknown; readonly licence?: unknown }

/** Reads a family of the brand; null for a typeface of the device. */
function familyIn(value: string): Family | null {
  if (!value.startsWith('{')) return null
  try {
    return JSON.parse(value) as Family
  } catch {
    return null
  }
}

/**
 * Creates the field of a typeface: one of those that devices bring, or files of one's own with the name of their family
 * and their licence.
 */
export function typefaceField(setting: Setting, key: WordKey, value: string, edit: Edit): HTMLElement {
  const { path, choices } = setting
  const label = word(key)
  const named = [...choices.map((one) => [one, names[one] === undefined ? one : word(names[one])] as const)]
  const select = make('select', { name: path }, ...optionsOf([...named, [OWN, word('font.own')]], ''))
  const ownOption = select.options[select.options.length - 1]
  const { input, refusal } = fileInput(setting, edit, { accept: '.woff2', multiple: true })
  let family: Family | null = null

  const send = whenSettled((field) => {
    const typed = { family: familyName.value.trim(), licence: licence.value.trim() }
    const { family: _, licence: __, ...rest } = family ?? {}
    const kept = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ''))
    return edit('/change', { path, value: JSON.stringify({ ...kept, ...rest }) }, field)
  })
  const texts = { autocomplete: 'off', spellcheck: false, dir: 'auto', oninput: send } as const
  const familyName = make('input', { ...texts, maxLength: 40 })
  const licence = make('input', { ...texts, maxLength: 80 })
  const words = make(
    'div',
    {},
    make('label', {}, word('font.family'), familyName),
    make('label', {}, word('font.licence'), licence),
  )
  const own = make('div', { className: 'own' }, make('label', {}, word('font.file'), input), refusal, words)

  function fill(next: string): void {
    family = familyIn(next)
    // Somebody who has chosen files of their own is about to name one.
    const isAwaited = select.value === OWN && family === null && next === shown
    shown = next
    if (ownOption !== undefined) ownOption.value = family === null ? OWN : next
    select.value = isAwaited ? OWN : next
    own.hidden = family === null && !isAwaited
    words.hidden = family === null
    fillText(familyName, family?.family)
    fillText(licence, family?.licence)
  }

  let shown = value
  fill(value)
  refillBy(select, fill)
  select.addEventListener('change', () => {
    own.hidden = select.value !== ownOption?.value
    if (select.value !== OWN) void edit('/change', { path, value: select.value }, select)
  })
  return withLines(path, make('label', {}, label, select), select, own)
}

/** Writes a text into a field in which nobody types. */
function fillText(field: HTMLInputElement, text: unknown): void {
  if (isUnanswered(field) || field === document.activeElement) return
  field.value = typeof text === 'string' ? text : ''
}
