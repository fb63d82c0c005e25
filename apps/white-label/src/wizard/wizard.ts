import { make } from './make.ts'
import { type Finding, findingsAbout, parts, verdictsOf } from './verdicts.ts'
import style from './wizard.css?inline'

type View = {
  readonly values: Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
  readonly isReady: boolean
  /** Index of the brand. */
  readonly brand: number
  readonly brands: readonly { readonly name: string; readonly isChanged: boolean }[]
  readonly frames: readonly Frame[]
  readonly saved?: string
  readonly fields: readonly Setting[]
}
/** A setting of the schema. */
type Setting = {
  readonly path: string
  readonly about: string
  readonly kind: string
  readonly choices: readonly string[]
}
type Failure = { readonly error: string }
type Frame = { readonly mode: string; readonly language: string; readonly url: string }

const fields = [
  { path: 'app.name', label: 'Name' },
  { path: 'app.shortName', label: 'Short name, under the icon' },
  { path: 'app.tagline', label: 'One sentence' },
  { path: 'token.hash', label: 'Token (64 characters)' },
  { path: 'token.ticker', label: 'Ticker (empty: from the chain)' },
  { path: 'token.decimals', label: 'Decimals (empty: from the chain)' },
  { path: 'theme.primary', label: 'Main colour', isColour: true },
  { path: 'theme.dark.primary', label: 'The same in dark mode', isColour: true },
  { path: 'theme.accent', label: 'Second colour', isColour: true },
  { path: 'theme.mode', label: 'Mode', choices: ['', 'system', 'light', 'dark'] },
  { path: 'theme.radius', label: 'Corners', choices: ['', 'none', 'sm', 'md', 'lg', 'full'] },
] as const

/** Settings that have a field in plain words above all others. */
const plain: readonly string[] = fields.map(({ path }) => path)

const TYPING_MS = 350

let asked: Promise<unknown> = Promise.resolve()

/** Sends requests in order, so that an older answer never overwrites a newer one. */
function ask(path: string, body?: object): Promise<View | Failure> {
  const answered = asked.then(() => answerOf(path, body))
  asked = answered
  return answered
}

async function answerOf(path: string, body: object | undefined): Promise<View | Failure> {
  try {
    const answer = await fetch(
      path,
      body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    )
    return (await answer.json()) as View | Failure
  } catch {
    return { error: 'Nobody answers. Start the command again; what is typed here is not saved yet.' }
  }
}

const verdicts = make('ul', { className: 'verdicts' })
const saying = make('p', { className: 'saying', role: 'status' })
const save = make('button', { type: 'button', textContent: 'Save the file' })
const phones = make('div', { className: 'phones' })
const settings = make('div')
const choice = make('select', { name: 'brand', ariaLabel: 'Brand' })
let glasses: readonly HTMLIFrameElement[] = []
/** Index of the brand on the page. */
let brand = 0

/** Shows the findings. For a brand that is not on the page it only marks it as changed. */
function show(view: View | Failure): void {
  if ('error' in view) {
    saying.textContent = view.error
    return
  }
  const { findings, isReady } = view
  showBrands(view.brands)
  if (view.brand !== brand) return
  verdicts.replaceChildren(...verdictsOf(findings))
  showFaults(findings)
  save.disabled = !isReady
  saying.textContent = isReady ? '' : 'The phones show the last state without errors.'
  verdicts.dataset.ready = String(isReady)
}

/** Shows beside each field what is wrong with its setting. */
function showFaults(findings: readonly Finding[]): void {
  for (const [path, { field, fault }] of shownFields) {
    const own = findingsAbout(path, findings)
    const isWrong = own.some(({ severity }) => severity === 'error')
    field.setAttribute('aria-invalid', String(isWrong))
    fault.className = isWrong ? 'fault error' : 'fault'
    fault.textContent = own.map(({ code, found, fix }) => `${code}: ${found}. ${fix}`).join(' ')
  }
}

/** Lists the brands; those with unsaved changes are marked. */
function showBrands(brands: View['brands']): void {
  const options = brands.map(({ name, isChanged }, index) =>
    make('option', {
      value: String(index),
      textContent: isChanged ? `${name} (not saved)` : name,
      selected: index === brand,
    }),
  )
  choice.replaceChildren(...options)
}

const reload = (): void => {
  // The address stays the same; only the served content changed.
  for (const glass of glasses) glass.src = glass.dataset.url ?? ''
}

/** // The answer may arrive when another brand is shown. */
function take(view: View | Failure, field: Element): void {
  const isHere = 'brand' in view && view.brand === brand
  if (isHere && !field.isConnected) {
    showBrand(view)
    return
  }
  show(view)
  if (isHere && view.isReady) reload()
}

/** Edits that are not sent yet. */
const typed = new Map<Element, () => void>()

/** Sends pending edits: before another brand is shown, and before saving. */
const sendTyped = (): void => {
  for (const send of typed.values()) send()
}

/** Debounces: acts after the last key press. */
function whenSettled(act: (field: HTMLInputElement) => void): (event: Event) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return ({ currentTarget }) => {
    const field = currentTarget as HTMLInputElement
    const send = (): void => {
      clearTimeout(timer)
      typed.delete(field)
      act(field)
    }
    clearTimeout(timer)
    timer = setTimeout(send, TYPING_MS)
    typed.set(field, send)
  }
}

function fieldOf(field: (typeof fields)[number], value: string): HTMLElement {
  const { path, label } = field
  // Bound to the brand of the edit, whichever is shown when it is sent.
  const own = brand
  const send = whenSettled(async (input) =>
    take(await ask('/change', { brand: own, path, value: input.value }), input),
  )
  if ('choices' in field) {
    const options = field.choices.map((choice) =>
      make('option', { value: choice, textContent: choice || '(default)', selected: choice === value }),
    )
    return make('label', {}, label, make('select', { name: path, onchange: send }, ...options))
  }
  const input = make('input', {
    name: path,
    value,
    ariaLabel: label,
    oninput: send,
    autocomplete: 'off',
    spellcheck: false,
  })
  if (!('isColour' in field)) return make('label', {}, label, input)
  const picker = make('input', { type: 'color', value: value || '#808080', ariaLabel: `${label}, picker` })
  picker.addEventListener('input', () => {
    input.value = picker.value
    input.dispatchEvent(new Event('input'))
  })
  return make('label', {}, label, make('span', { className: 'colour' }, picker, input))
}

/** Fields of all settings that are not above, with the line for their findings. */
const shownFields = new Map<string, { readonly field: HTMLElement; readonly fault: HTMLElement }>()

/** Returns a field for any setting of the schema, with its documentation. */
function settingField({ path, about, kind, choices }: Setting, value: string): HTMLElement {
  const own = brand
  const send = whenSettled(async (input) =>
    take(await ask('/change', { brand: own, path, value: input.value }), input),
  )
  const facts = { name: path, id: path, autocomplete: 'off', spellcheck: false } as const
  const options = kind === 'flag' ? ['true', 'false'] : choices
  const field =
    options.length > 0
      ? make(
          'select',
          { name: path, id: path, onchange: send },
          ...['', ...options].map((choice) =>
            make('option', { value: choice, textContent: choice || '(default)', selected: choice === value }),
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
  const more = { list: ' One on each line.', data: ' Written as JSON.' }[kind] ?? ''
  const help = make('small', { id: `${path}-about`, textContent: `${about}${more}` })
  const fault = make('small', { className: 'fault', id: `${path}-fault`, role: 'status' })
  field.setAttribute('aria-describedby', `${help.id} ${fault.id}`)
  shownFields.set(path, { field, fault })
  return make(
    'div',
    { className: 'setting' },
    make('label', { htmlFor: path }, make('code', { textContent: path }), field),
    help,
    fault,
  )
}

/** Returns the settings of each part of the schema, folded. */
function partsOf({ fields: all, values }: View): readonly HTMLElement[] {
  shownFields.clear()
  const rest = all.filter(({ path }) => !plain.includes(path))
  return [...parts, ['id', 'Id'] as const].flatMap(([key, title]) => {
    const own = rest.filter(({ path }) => path === key || path.startsWith(`${key}.`))
    if (own.length === 0) return []
    const made = own.map((one) => settingField(one, values[one.path] ?? ''))
    return [make('details', {}, make('summary', { textContent: title }), ...made)]
  })
}

function drawingField(kind: 'logo' | 'icon', label: string): HTMLElement {
  const input = make('input', { type: 'file', accept: '.svg,.png', name: kind })
  const own = brand
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file === undefined) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    take(await ask('/draw', { brand: own, kind, name: file.name, base64 }), input)
  })
  return make('label', {}, label, input)
}

function phone({ mode, language, url }: Frame): HTMLElement {
  const glass = make('iframe', { title: `${language}, ${mode}`, src: url })
  glass.dataset.url = url
  glasses = [...glasses, glass]
  return make(
    'figure',
    {},
    make('figcaption', { textContent: `${language}, ${mode}` }),
    make('div', { className: 'glass' }, glass),
  )
}

/** Shows one brand: settings, verdicts and phones. */
function showBrand(view: View): void {
  brand = view.brand
  settings.replaceChildren(
    ...fields.map((field) => fieldOf(field, view.values[field.path] ?? '')),
    drawingField('logo', 'Logo (SVG or PNG)'),
    drawingField('icon', 'Icon (square SVG or PNG)'),
    make('h2', { textContent: 'All settings' }),
    ...partsOf(view),
  )
  glasses = []
  phones.replaceChildren(...view.frames.map(phone))
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
  if (saved !== undefined) saying.textContent = `Saved as ${saved}; what was there before is ${saved}.before.`
})

async function begin(): Promise<void> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
  const view = await ask('/view')
  if ('error' in view) return document.getElementById('wizard')?.append(view.error)
  const heading = make('h1', { textContent: 'Your brand' })
  const brands = view.brands.length > 1 ? [make('label', {}, 'Brand', choice)] : []
  const checks = [make('h2', { textContent: 'Checks' }), verdicts]
  document
    .getElementById('wizard')
    ?.append(make('section', {}, heading, ...brands, settings, save, saying, ...checks), phones)
  showBrand(view)
}

await begin()
