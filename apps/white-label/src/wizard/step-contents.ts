import type { Edit, Setting, View } from './ask.ts'
import { pictureField, plainField, settingField } from './fields.ts'
import { gallery } from './looks.ts'
import { make } from './make.ts'
import { plainFields } from './plain-fields.ts'
import { type StepName, stepNames, stepOf } from './step-names.ts'
import { typefaceField } from './typeface-field.ts'
import { parts } from './verdicts.ts'
import { languageName, type WordKey, word } from './words.ts'

/** Typefaces in the order of the page. */
const typefaces: Readonly<Record<string, WordKey>> = {
  'theme.font': 'field.font',
  'theme.headings': 'field.headings',
}

/** Settings that have a field in plain words above the others of their step. */
const plain: readonly string[] = [...plainFields.map(({ path }) => path), ...Object.keys(typefaces)]

/** Pictures that every brand has. Their paths are among the other settings of the step. */
const pictures: Readonly<Record<string, WordKey>> = {
  'assets.logo': 'field.logo',
  'assets.icon': 'field.icon',
}

/** Returns fields for some settings, each with its words. */
const worded = (
  fields: readonly Setting[],
  words: Readonly<Record<string, WordKey>>,
  make: (setting: Setting, key: WordKey) => HTMLElement,
): readonly HTMLElement[] =>
  Object.entries(words).flatMap(([path, key]) =>
    fields.filter((one) => one.path === path).map((one) => make(one, key)),
  )

/** Returns the other settings of a step, folded by parts of the schema. */
function foldedOf(step: StepName, { fields, values }: View, edit: Edit): readonly HTMLElement[] {
  const rest = fields.filter(({ path }) => stepOf(path) === step && !plain.includes(path))
  return ([...parts, 'id'] as const).flatMap((part) => {
    const own = rest.filter(({ path }) => path === part || path.startsWith(`${part}.`))
    if (own.length === 0) return []
    const made = own.map((one) => settingField(one, values[one.path] ?? '', edit))
    const title: WordKey = step === 'look' ? 'part.look' : `part.${part}`
    return [make('details', {}, make('summary', { textContent: word(title) }), ...made)]
  })
}

/** Returns the list of the brand's own screens, folded. */
function screensPart({ screens }: View): HTMLElement {
  const rows = screens.map(({ path, title, language }) =>
    make(
      'li',
      {},
      make('bdi', { lang: language, textContent: title }),
      ` · ${languageName(language)} · `,
      make('code', { textContent: path, dir: 'ltr' }),
    ),
  )
  return make(
    'details',
    { className: 'screens' },
    make('summary', { textContent: word('part.screens') }),
    make('small', { textContent: word('screens.text') }),
    rows.length > 0 ? make('ul', {}, ...rows) : make('p', { textContent: word('screens.none') }),
  )
}

/** Returns the fields of each step for a brand. `onLook` is called with a look that was chosen, and its field. */
export function contentsOf(
  view: View,
  edit: Edit,
  onLook: (name: string, field: Element) => void,
): ReadonlyMap<StepName, readonly HTMLElement[]> {
  const { values, looks, look, fields } = view
  const before: Partial<Record<StepName, () => readonly HTMLElement[]>> = {
    look: () => [
      make('h3', { textContent: word('title.looks') }),
      make('small', { className: 'looks-text', textContent: word('looks.text') }),
      gallery(looks, look, onLook),
    ],
    pictures: () => worded(fields, pictures, (setting, key) => pictureField(setting, key, edit)),
  }

  const typeface = (setting: Setting, key: WordKey) =>
    typefaceField(setting, key, values[setting.path] ?? '', edit)
  const after: Partial<Record<StepName, () => readonly HTMLElement[]>> = { words: () => [screensPart(view)] }
  return new Map(
    stepNames.map((step) => [
      step,
      [
        ...(before[step]?.() ?? []),
        ...plainFields
          .filter(({ path }) => stepOf(path) === step)
          .map((field) => plainField(field, values[field.path] ?? '', edit)),
        ...(step === 'look' ? worded(fields, typefaces, typeface) : []),
        ...foldedOf(step, view, edit),
        ...(after[step]?.() ?? []),
      ],
    ]),
  )
}
