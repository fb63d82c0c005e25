import { ask, type Failure, type Setting, type View } from './ask.ts'
import { gallery, markLook } from './looks.ts'
import { make } from './make.ts'
import { isUnanswered, sendTyped, whenSettled } from './pending-edits.ts'
import { captionPhones, markScreen, preview, reloadPhones, showPhones } from './phones.ts'
import { type PlainField, plainFields } from './plain-fields.ts'
import { type Finding, findingsAbout, inEnglish, parts, verdictsOf } from './verdicts.ts'
import style from './wizard.css?inline'
import { languageField, languageName, speakFirst, word, worded } from './words.ts'

/** Settings that have a field in plain words above all others. */
const plain: readonly string[] = plainFields.map(({ path }) => path)

/** Colour of a picker whose setting is left out. */
const NO_COLOUR = '#808080'

const verdicts = make('ul', { className: 'verdicts' })
const saying = make('p', { className: 'saying', role: 'status' })
const save = worded(make('button', { type: 'button' }), 'save.button')
const undo = worded(make('button', { type: 'button', className: 'second' }), 'undo.button')
const actions = make('div', { className: 'actions' }, save, undo, saying)
const changes = make('ul', { className: 'changes' })
const changed = make('div', { hidden: true }, worded(make('h2'), 'title.changes'), changes)
const settings = make('div')
const choice = make('select', { name: 'brand' })
/** Index of the brand on the page. */
let brand = 0

/** Returns what the page says of a failure. */
const failureLine = ({ error }: Failure): HTMLElement =>
  error === null
    ? make('span', { textContent: word('unanswered') })
    : make('span', { ...inEnglish, textContent: error })

/** Shows the findings. For a brand that is not on the page it only marks it as changed. */
function show(view: View | Failure): void {
  if ('error' in view) {
    saying.replaceChildren(failureLine(view))
    return
  }
  const { findings, isReady } = view
  showBrands(view.brands)
  if (view.brand !== brand) return
  verdicts.replaceChildren(...verdictsOf(findings))
  showFaults(view)
  save.disabled = !isReady
  undo.disabled = !view.canUndo
  markLook(view.look)
  markScreen(view)
  showChanges(view)
  saying.textContent = isReady ? '' : word('unready')
  verdicts.dataset.ready = String(isReady)
}

/** Shows each setting that differs from the file, before and after. */
function showChanges(view: View): void {
  changed.hidden = view.changes.length === 0
  const rows = view.changes.map(({ path, before, after }) =>
    make(
      'li',
      {},
      make('code', { textContent: path }),
      ...(before === '' ? [] : [make('del', { textContent: before, dir: 'auto' })]),
      ...(after === '' ? [] : [make('ins', { textContent: after, dir: 'auto' })]),
    ),
  )
  changes.replaceChildren(...rows)
}

/** Shows beside each field what is wrong with its setting, and what can be taken instead. */
function showFaults({ findings, values }: View): void {
  for (const { path, field, fault, proposals } of shownFields) {
    const own = [
      ...findingsAbout(path, findings),
      // Findings of a picture name its file.
      ...(path.startsWith('assets.') ? findingsAbout(values[path] || path, findings) : []),
    ].filter((one, index, all) => all.indexOf(one) === index)
    const isWrong = own.some(({ severity }) => severity === 'error')
    field.setAttribute('aria-invalid', String(isWrong))
    fault.className = isWrong ? 'fault error' : 'fault'
    fault.textContent = own.map(({ code, found, fix }) => `${code}: ${found}. ${fix}`).join(' ')
    const offers = own.flatMap(({ proposal }) => proposal ?? [])
    const different = offers.filter(
      (one, index) =>
        offers.findIndex((other) => other.path === one.path && other.value === one.value) === index,
    )
    // A button that stays keeps the focus.
    const mark = JSON.stringify(different)
    if (proposals.dataset.offers === mark) continue
    proposals.dataset.offers = mark
    proposals.replaceChildren(...different.map(offerButton))
  }
}

/** Focuses the field of a setting, in whichever folded part it is. */
function focusField(path: string): void {
  const field = shownFields.find((one) => one.path === path)?.field
  const part = field?.closest('details')
  if (part) part.open = true
  field?.focus()
}

/** Returns the button that takes a proposal. */
function offerButton({ path, value }: Offer): HTMLButtonElement {
  const button = make('button', {
    type: 'button',
    className: 'second offer',
    textContent:
      value === '' ? word('proposal.remove') : word('proposal.take', { value: `\u2068${value}\u2069` }),
  })
  if (/^#[0-9a-f]{6}$/i.test(value)) {
    const sample = make('span', { className: 'sample', ariaHidden: 'true' })
    sample.style.backgroundColor = value
    button.prepend(sample)
  }
  button.addEventListener('click', async () => {
    sendTyped()
    const view = await ask('/change', { brand, path, value })
    take(view, button)
    refill(view)
    // The button is gone with its finding, and the focus with it, unless somebody moved it meanwhile.
    if (!button.isConnected && document.activeElement === document.body) focusField(path)
  })
  return button
}

/** Lists the brands; those with unsaved changes are marked. */
function showBrands(brands: View['brands']): void {
  const options = brands.map(({ name, isChanged }, index) =>
    make('option', {
      value: String(index),
      textContent: isChanged ? word('brand.unsaved', { brand: name }) : name,
      selected: index === brand,
    }),
  )
  choice.ariaLabel = word('brand')
  choice.replaceChildren(...options)
}

/** Shows an answer. It may arrive when another brand is shown. */
function take(view: View | Failure, field: Element): void {
  const isHere = 'brand' in view && view.brand === brand
  if (isHere && !field.isConnected) {
    showBrand(view)
    return
  }
  show(view)
  if (isHere && view.isReady) reloadPhones()
}

/** Returns the choices of a select, the first of which leaves the setting out. */
const optionsOf = (choices: readonly (readonly [value: string, text: string])[], value: string) =>
  [['', word('choice.default')] as const, ...choices].map(([choice, textContent]) =>
    make('option', { value: choice, textContent, selected: choice === value }),
  )

/** Returns the lines below a field, which say what is wrong with its setting. */
function linesBelow(path: string, field: HTMLElement, id: string): readonly HTMLElement[] {
  const fault = make('small', { ...inEnglish, className: 'fault', id, role: 'status' })
  const proposals = make('div', { className: 'offers' })
  shownFields.push({ path, field, fault, proposals })
  return [fault, proposals]
}

/** Returns a field in plain words with the lines below it. */
function withLines(path: string, label: HTMLElement, field: HTMLElement): HTMLElement {
  const id = `${path}-plain-fault`
  field.setAttribute('aria-describedby', id)
  return make('div', { className: 'plain' }, label, ...linesBelow(path, field, id))
}

function fieldOf({ path, label: key, isColour, choices }: PlainField, value: string): HTMLElement {
  const label = word(key)
  // Bound to the brand of the edit, whichever is shown when it is sent.
  const own = brand
  const send = whenSettled(async (input) =>
    take(await ask('/change', { brand: own, path, value: input.value }), input),
  )
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
  const both = make('span', { className: 'colour' }, picker, input)
  return withLines(path, make('label', {}, label, both), input)
}

type Offer = NonNullable<Finding['proposal']>

/** All fields with the lines for their findings. A picture has two: its file and its path. */
const shownFields: {
  readonly path: string
  readonly field: HTMLElement
  readonly fault: HTMLElement
  readonly proposals: HTMLElement
}[] = []

/** Returns a field for any setting of the schema, with its documentation. */
function settingField({ path, about, kind, choices }: Setting, value: string): HTMLElement {
  const own = brand
  const send = whenSettled(async (input) =>
    take(await ask('/change', { brand: own, path, value: input.value }), input),
  )
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
  return make(
    'div',
    { className: 'setting' },
    make('label', { htmlFor: path }, make('code', { textContent: path }), field),
    help,
    ...linesBelow(path, field, `${path}-fault`),
  )
}

/** Returns the settings of each part of the schema, folded. */
function partsOf({ fields: all, values }: View): readonly HTMLElement[] {
  const rest = all.filter(({ path }) => !plain.includes(path))
  return ([...parts, 'id'] as const).flatMap((key) => {
    const own = rest.filter(({ path }) => path === key || path.startsWith(`${key}.`))
    if (own.length === 0) return []
    const made = own.map((one) => settingField(one, values[one.path] ?? ''))
    return [make('details', {}, make('summary', { textContent: word(`part.${key}`) }), ...made)]
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

function drawingField(kind: 'logo' | 'icon'): HTMLElement {
  const input = make('input', { type: 'file', accept: '.svg,.png', name: kind })
  const own = brand
  // The same file can be chosen again, after it was taken back or drawn anew.
  input.addEventListener('click', () => {
    input.value = ''
  })
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file === undefined) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    take(await ask('/draw', { brand: own, kind, name: file.name, base64 }), input)
  })
  return withLines(`assets.${kind}`, make('label', {}, word(`field.${kind}`), input), input)
}

/** Gives the brand a look. Its settings have fields of their own, which show the new values. */
async function applyLook(name: string, field: Element): Promise<void> {
  sendTyped()
  const view = await ask('/look', { brand, name })
  take(view, field)
  refill(view)
}

/** Writes the values of another state into the fields, which stay where they are and keep the focus. */
function refill(view: View | Failure): void {
  if ('error' in view || view.brand !== brand) return
  for (const field of settings.querySelectorAll<HTMLInputElement>('[name]')) {
    const value = view.values[field.name]
    if (value === undefined || isUnanswered(field)) continue
    field.value = value
    const picker = field.previousElementSibling
    if (picker instanceof HTMLInputElement && picker.type === 'color') picker.value = value || NO_COLOUR
  }
}

undo.addEventListener('click', async () => {
  sendTyped()
  const view = await ask('/undo', { brand })
  take(view, undo)
  refill(view)
})

function showSettings(view: View): void {
  shownFields.length = 0
  const isOfLook = ({ path }: PlainField): boolean => path.startsWith('theme.')
  const fieldsOf = (fields: readonly PlainField[]): readonly HTMLElement[] =>
    fields.map((field) => fieldOf(field, view.values[field.path] ?? ''))
  settings.replaceChildren(
    ...fieldsOf(plainFields.filter((field) => !isOfLook(field))),
    make('h2', { textContent: word('title.looks') }),
    make('small', { textContent: word('looks.text') }),
    gallery(view.looks, view.look, applyLook),
    ...fieldsOf(plainFields.filter(isOfLook)),
    drawingField('logo'),
    drawingField('icon'),
    make('h2', { textContent: word('title.settings') }),
    ...partsOf(view),
    screensPart(view),
  )
}

/** Shows one brand: settings, verdicts and phones. */
function showBrand(view: View): void {
  brand = view.brand
  showSettings(view)
  showPhones(view)
  show(view)
}

choice.addEventListener('change', async () => {
  const wanted = Number(choice.value)
  sendTyped()
  const view = await ask('/show', { brand: wanted })
  if (!('error' in view)) return showBrand(view)
  choice.value = String(brand)
  show(view)
})

save.addEventListener('click', async () => {
  sendTyped()
  const view = await ask('/save', { brand })
  show(view)
  const saved = 'error' in view ? undefined : view.saved
  if (saved !== undefined) saying.textContent = word('save.done', { file: saved })
})

/** Shows the same brand in the language that was chosen. Edits are sent first, or they would be lost. */
async function showTranslated(): Promise<void> {
  sendTyped()
  const view = await ask('/show', { brand })
  if ('error' in view) return show(view)
  showSettings(view)
  captionPhones(view)
  show(view)
}

async function begin(): Promise<void> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
  await speakFirst()
  const view = await ask('/view')
  if ('error' in view) return document.getElementById('wizard')?.append(failureLine(view))
  const heading = worded(make('h1'), 'title')
  const brands = view.brands.length > 1 ? [make('label', {}, worded(make('span'), 'brand'), choice)] : []
  const checks = [worded(make('h2'), 'title.checks'), verdicts]
  const section = [heading, languageField(showTranslated), ...brands, settings, actions, changed, ...checks]
  document.getElementById('wizard')?.append(
    make('section', {}, ...section),
    preview(() => brand, show),
  )
  showBrand(view)
}

await begin()
